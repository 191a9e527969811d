import SignalGraph
import Synchronization

/// Rarely needed parts of a chain's record: its downstream, an owner, names given by the program, failures, schedulers,
/// and waiting values.
final class ChainExtras: Sendable {
  struct Notes: Sendable {
    fileprivate var nextName: String?
    fileprivate var nextChannels: [ChannelEnd] = []
    fileprivate(set) var names: [UInt64: String] = [:]
    fileprivate(set) var channels: [UInt64: [ChannelEnd]] = [:]
    /// By the address of the group that failed.
    fileprivate(set) var failures: [UInt: String] = [:]
    fileprivate(set) var queues: [UInt64: QueueCounts] = [:]
    fileprivate(set) var attempts: [UInt64: Attempts] = [:]
    /// The number of values that a source was sent after the subscription had ended.
    fileprivate(set) var sentAfterEnd: [UInt64: UInt64] = [:]
    fileprivate var lastFailure: FailureWords?
  }

  // A structure: each access to a closure that is itself the value of a mutex would wrap it in another thunk.
  private struct Finder {
    var find: (@Sendable () -> AnyObject?)?
  }

  /// The receiver of the lowest node's values; nil at a subscriber.
  let downstream: ChainDownstream?
  let owner: NodeOwner?
  /// The source into which the subscriber writes each value, if it is a binding.
  let target: SourceNode?
  /// The step of another pipeline that requested values when the subscription was created.
  let asking: AskingStep?
  private let state = Mutex(Notes())
  /// Whether there may be channels for the next node: most chains have none, and need not lock to find out.
  private let hasNextChannels = Atomic<Bool>(false)
  private let schedules = OnceReference<NotedSchedule>()
  private let counts = Mutex<HandlerCounts?>(nil)
  private let finder = Mutex(Finder())
  private let creation = Mutex<(any Sendable)?>(nil)

  init(
    downstream: ChainDownstream? = nil, owner: NodeOwner? = nil, target: SourceNode? = nil, asking: AskingStep? = nil
  ) {
    self.target = target
    self.asking = asking
    self.downstream = downstream
    self.owner = owner
  }

  func nameNext(_ name: String) {
    state.withLock { if $0.nextName == nil { $0.nextName = name } }
  }

  func takeNextName() -> String? {
    state.withLock { notes in
      defer { notes.nextName = nil }
      return notes.nextName
    }
  }

  func useName(for identifier: UInt64) {
    state.withLock { notes in
      guard let name = notes.nextName else { return }
      notes.names[identifier] = name
      notes.nextName = nil
      guard !notes.nextChannels.isEmpty else { return }
      notes.channels[identifier] = notes.nextChannels
      notes.nextChannels = []
    }
  }

  /// Declares the next node as an end of a channel. Like ``nameNext(_:)``.
  func linkNext(_ end: ChannelEnd) {
    hasNextChannels.store(true, ordering: .relaxed)
    state.withLock { if !$0.nextChannels.contains(end) { $0.nextChannels.append(end) } }
  }

  func takeNextChannels() -> [ChannelEnd] {
    // A chain is connected on one thread.
    guard hasNextChannels.load(ordering: .relaxed) else { return [] }
    return state.withLock { notes in
      defer { notes.nextChannels = [] }
      return notes.nextChannels
    }
  }

  /// The names of nodes, if there are any.
  var names: [UInt64: String]? {
    state.withLock { $0.names.isEmpty ? nil : $0.names.mapValues { $0 } }
  }

  func note(_ failure: any Error, of group: UnsafeMutablePointer<NodeGroup>, words: (any Error) -> String) {
    let identity = FailureWords.Identity(failure)
    let known = state.withLock { $0.lastFailure?.identity == identity ? $0.lastFailure : nil }
    // The description is the program's code: no lock is held.
    let words = known ?? FailureWords(identity: identity, text: words(failure))
    state.withLock { notes in
      notes.lastFailure = words
      notes.failures[UInt(bitPattern: group)] = words.text
    }
  }

  func note(_ queue: QueueCounts, of node: UInt64) {
    state.withLock { $0.queues[node] = queue }
  }

  func changeAttempts(of node: UInt64, _ change: (inout Attempts?) -> Void) {
    state.withLock { change(&$0.attempts[node]) }
  }

  func noteSentAfterEnd(of node: UInt64) {
    state.withLock { $0.sentAfterEnd[node, default: 0] &+= 1 }
  }

  func note(_ schedule: NotedSchedule) { NotedSchedule.add(schedule, to: schedules) }

  /// The scheduler of a node's work; nil if not known.
  func schedule(of node: UInt64) -> NodeSchedule? { NotedSchedule.find(node, in: schedules) }

  /// Stores the number of waiting values of each node at the disposal of the subscription.
  func noteLost() {
    state.withLock { for queue in $0.queues.values { queue.noteLost() } }
  }

  /// Calls a closure with each node that has a queue, and the number of its values that were lost when the subscription
  /// was disposed.
  func forEachQueue(_ body: (UInt64, UInt64) -> Void) {
    state.withLock { for (node, queue) in $0.queues { body(node, queue.lostCount) } }
  }

  /// Discards the causes of waiting values.
  func forgetQueuedCauses() {
    state.withLock { for queue in $0.queues.values { queue.forgetCauses() } }
  }

  /// The times of the subscriber's handler.
  var handlerCounts: HandlerCounts {
    counts.withLock { counts in
      if let counts { return counts }
      let new = HandlerCounts()
      counts = new
      return new
    }
  }

  /// Discards the times of the subscriber's handler, and those of waiting values.
  func forgetHandlerCounts() {
    counts.withLock { $0 = nil }
    state.withLock { for queue in $0.queues.values { queue.forgetWaits() } }
  }

  /// The profile of handlers, if there is one.
  var knownHandlerCounts: HandlerCounts? { counts.withLock { $0 } }

  /// Returns the subscription while it lives, if the recorder requests it.
  var findSubscription: (@Sendable () -> AnyObject?)? {
    get { finder.withLock { $0.find } }
    set { finder.withLock { $0.find = newValue } }
  }

  /// The backtrace of the subscription's creation, if the recorder requests it.
  var trace: (any Sendable)? {
    get { creation.withLock { $0 } }
    set { creation.withLock { $0 = newValue } }
  }

  /// Whether a group of the chain has failed.
  var hasFailures: Bool { state.withLock { !$0.failures.isEmpty } }

  /// The description of a group's failure.
  func failure(of group: UnsafeMutablePointer<NodeGroup>) -> String? {
    state.withLock { $0.failures[UInt(bitPattern: group)] }
  }

  /// The notes, copied into separate memory. A dictionary's buffer is checked for sharing by reference counts, which
  /// Thread Sanitizer does not see: a reader of the dictionary would seem to race with a later writer.
  var notes: Notes {
    state.withLock {
      Notes(
        nextName: $0.nextName, names: $0.names.mapValues { $0 }, channels: $0.channels.mapValues { $0.map(\.self) },
        failures: $0.failures.mapValues { $0 },
        queues: $0.queues.mapValues { $0 }, attempts: $0.attempts.mapValues { $0 },
        sentAfterEnd: $0.sentAfterEnd.mapValues { $0 })
    }
  }
}

/// The receiver of the values of an operator's further input, or of a shared signal's subscription.
struct ChainDownstream: Sendable {
  enum Target: Sendable {
    case node(NodeReference)
    case source(SourceNode)
  }

  let target: Target
  /// The kind of the connection to it.
  let kind: Edge.Kind

  init(_ target: Target, _ kind: Edge.Kind) {
    self.target = target
    self.kind = kind
  }

  var identifier: UInt64 {
    switch target {
    case .node(let place): place.identifier
    case .source(let source): source.identifier
    }
  }
}
