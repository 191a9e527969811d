import SignalGraph

/// A `retry` whose attempts fail.
struct FailedAttempts {
  private let node: Node
  private let attempts: Attempts
  private let observation: Observation

  /// Creates it if the attempts of a node fail now. Nil if an attempt has been running since the last failure, and none
  /// failed while the graph was watched.
  init?(at node: Node, in observation: Observation) {
    guard node.state == .live, let attempts = node.attempts else { return nil }
    let graph = observation.now
    let isIdle = (graph.inputs[node.id] ?? []).allSatisfy { edge in
      edge.kind == .trigger || graph.nodes[edge.source].map { $0.state != .live } ?? true
    }
    let earlier = observation.before?.nodes[node.id]?.attempts?.failed ?? 0
    let isFailing = observation.before == nil ? isIdle : attempts.failed > earlier
    guard attempts.delay != nil || isIdle || isFailing else { return nil }
    self.node = node
    self.attempts = attempts
    self.observation = observation
  }

  /// Finds the `retry` below a node that is one of its attempts, or part of one.
  init?(below node: Node, in observation: Observation) {
    var current = node
    for _ in 0..<50 {
      let below = (observation.now.outputs[current.id] ?? []).lazy.filter { $0.kind == .data }
        .compactMap { observation.now.nodes[$0.target] }.first
      guard let below else { return nil }
      if let found = Self(at: below, in: observation) {
        self = found
        return
      }
      // A node below that continues after the failure has not failed, so no `retry` below it was notified.
      guard node.state == .live || below.state == node.state else { return nil }
      current = below
    }
    return nil
  }

  /// Its title and source location.
  private var title: String { observation.now.title(of: node) + Explanation.place(of: node, in: observation.now) }

  /// The time and the error of the last failure.
  private var last: String {
    let now = observation.now.snapshot.takenAt
    let age = observation.time == .real && now > 0 ? " \(Seconds(now - attempts.failedAt).words) ago" : ""
    return "the last\(age), with \(attempts.lastFailure)"
  }

  /// A description such as "`retry` at Feed.swift:7 has tried 4 times, and each failed, the last 1.2 s ago, with
  /// Offline(); it waits 2 s for attempt 5".
  var words: String {
    let times = attempts.failed == 1 ? "once" : "\(attempts.failed) times"
    let next = attempts.delay.map { "; it waits \(TimeText.words($0)) for attempt \(attempts.failed + 1)" } ?? ""
    return "\(title) has tried \(times), and each failed, \(last)\(next)"
  }

  /// The description of a source that is a running attempt.
  var wordsForAttempt: String {
    "it is attempt \(attempts.failed + 1) of \(title), and all before failed, \(last)"
  }
}
