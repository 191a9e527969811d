/// A message between replicas, or between a writer and a replica.
package enum Message: Sendable, CustomStringConvertible {
  /// A writer wants an entry in the log.
  case append(Entry)
  /// An entry is in the logs of most replicas.
  case appended(Entry.ID)
  case voteRequest(term: Int, lastTerm: Int, length: Int)
  case vote(term: Int)
  /// The leader's whole log, and how much of it is committed.
  case replicate(term: Int, log: [Entry], committedCount: Int)
  case replicated(term: Int, length: Int)

  package var description: String {
    switch self {
    case .append(let entry): "append \(entry.id)"
    case .appended(let id): "appended \(id)"
    case .voteRequest(let term, _, _): "vote for me in term \(term)"
    case .vote(let term): "you have my vote in term \(term)"
    case .replicate(let term, let log, let count): "log of term \(term): \(log.map(\.id)), \(count) committed"
    case .replicated(let term, let length): "\(length) stored in term \(term)"
    }
  }
}

/// An entry of the log.
package struct Entry: Sendable, Identifiable, Equatable {
  package let id: String
  package let text: String
  /// The term of the leader that added it.
  package var term = 0
}

/// A mistake that can be put into the program, to see that a simulation finds it.
package enum Fault: Sendable {
  /// A writer that turns to another replica does not send again what the first one may not have.
  case lostAfterReconnect
  /// A leader adds an entry that a writer sends again a second time.
  case doubleRetry
  /// A candidate leads once most of the replicas that it has heard from voted for it.
  case splitBrain
}

/// One of several replicas that agree on a log, as long as most of them reach each other.
///
/// It is a small form of Raft (Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014), in which the leader always sends its whole log.
package actor Replica {
  private enum Role { case follower, candidate, leader }

  package nonisolated let name: String
  package private(set) var log: [Entry] = []
  /// The number of entries that most replicas have.
  package private(set) var committedCount = 0

  private let others: [String]
  private let fault: Fault?
  private let send: @Sendable (Message, _ receiver: String) -> Void
  private let onLeading: @Sendable (_ term: Int) -> Void

  private var role = Role.follower
  private var term = 0
  private var hasVoted = false
  /// The term of the leader that sent the log.
  private var logTerm = 0
  private var votes: Set<String> = []
  /// The number of entries of this term's log that others have stored.
  private var stored: [String: Int] = [:]
  /// The writers that wait for an entry.
  private var writers: [Entry.ID: Set<String>] = [:]
  /// The number of messages from leaders and votes given, which postpone the next election.
  private var signOfLifeCount = 0

  package init(
    _ name: String, others: [String], fault: Fault? = nil,
    send: @escaping @Sendable (Message, _ receiver: String) -> Void,
    onLeading: @escaping @Sendable (_ term: Int) -> Void = { _ in }
  ) {
    self.name = name
    self.others = others
    self.fault = fault
    self.send = send
    self.onLeading = onLeading
  }

  /// Holds elections and sends the log, until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      if role == .leader {
        replicate()
        try? await Task.sleep(for: .milliseconds(50))
      } else {
        let count = signOfLifeCount
        try? await Task.sleep(for: .milliseconds(Int.random(in: 150...300)))
        if role != .leader, signOfLifeCount == count, !Task.isCancelled { campaign() }
      }
    }
  }

  package func receive(_ message: Message, from sender: String) {
    switch message {
    case .append(let entry): append(entry, from: sender)
    case .appended: break
    case .voteRequest(let term, let lastTerm, let length):
      follow(term)
      let isUpToDate = (lastTerm, length) >= (log.last?.term ?? 0, log.count)
      guard term == self.term, !hasVoted, isUpToDate else { return }
      hasVoted = true
      signOfLifeCount += 1
      send(.vote(term: term), sender)
    case .vote(let term):
      follow(term)
      guard term == self.term, role == .candidate else { return }
      votes.insert(sender)
      leadIfElected()
    case .replicate(let term, let log, let committedCount):
      follow(term)
      guard term == self.term else { return }
      role = .follower
      signOfLifeCount += 1
      // A message may arrive late, or twice.
      if logTerm < term || self.log.count <= log.count { self.log = log }
      logTerm = term
      self.committedCount = max(self.committedCount, min(committedCount, self.log.count))
      send(.replicated(term: term, length: self.log.count), sender)
    case .replicated(let term, let length):
      follow(term)
      guard term == self.term, role == .leader else { return }
      stored[sender] = max(stored[sender] ?? 0, length)
      commit()
    }
  }

  // MARK: Elections

  /// Enters a term of which another replica has told.
  private func follow(_ term: Int) {
    guard term > self.term else { return }
    self.term = term
    hasVoted = false
    role = .follower
  }

  private func campaign() {
    term += 1
    role = .candidate
    hasVoted = true
    votes = [name]
    for other in others {
      send(.voteRequest(term: term, lastTerm: log.last?.term ?? 0, length: log.count), other)
    }
    leadIfElected()
  }

  private func leadIfElected() {
    let needed = fault == .splitBrain ? 1 : (others.count + 1) / 2 + 1
    guard votes.count >= needed else { return }
    role = .leader
    logTerm = term
    stored = [:]
    onLeading(term)
    // Entries of earlier terms are committed only with one of this term, for which no writer may ever ask.
    log.append(Entry(id: "term \(term)", text: "", term: term))
    replicate()
  }

  // MARK: The log

  private func append(_ entry: Entry, from writer: String) {
    guard role == .leader else { return }
    writers[entry.id, default: []].insert(writer)
    let position = log.firstIndex { $0.id == entry.id }
    if let position, position < committedCount { return send(.appended(entry.id), writer) }
    if position == nil || fault == .doubleRetry {
      var entry = entry
      entry.term = term
      log.append(entry)
    }
    replicate()
  }

  private func replicate() {
    for other in others { send(.replicate(term: term, log: log, committedCount: committedCount), other) }
  }

  private func commit() {
    let lengths = (others.map { stored[$0] ?? 0 } + [log.count]).sorted(by: >)
    let length = min(lengths[lengths.count / 2], log.count)
    // An entry of an earlier term that most replicas have may still be replaced, unless one of this term is behind it.
    guard length > committedCount, log[length - 1].term == term else { return }
    for entry in log[committedCount..<length] {
      for writer in (writers.removeValue(forKey: entry.id) ?? []).sorted() { send(.appended(entry.id), writer) }
    }
    committedCount = length
  }
}
