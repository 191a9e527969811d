import SignalGraph
import Synchronization

/// What few chains have: something below them, an owner, names that the program gave, failures, schedulers, and values that wait.
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

  // A structure: each look at a closure that is itself what a mutex holds would put another thunk around it.
  private struct Finder {
    var find: (@Sendable () -> AnyObject?)?
  }

  /// Where the lowest node delivers to; nil at a subscriber.
  let downstream: ChainDownstream?
  let owner: NodeOwner?
  /// The source into which the subscriber writes each value, if it is a binding.
  let target: SourceNode?
  /// The step of another pipeline that asked when the subscription was made.
  let asking: AskingStep?
  private let state = Mutex(Notes())
  /// Whether there may be channels for the next node: most chains have none, and need not lock to know.
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

  /// Says of the next node that it is an end of a channel. With ``nameNext(_:)``.
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
    // The words are the program's: no lock is held.
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

  /// On what a node's work runs; nil if that is not known.
  func schedule(of node: UInt64) -> NodeSchedule? { NotedSchedule.find(node, in: schedules) }

  /// Keeps how many values wait in each node now that the subscription is being disposed.
  func noteLost() {
    state.withLock { for queue in $0.queues.values { queue.noteLost() } }
  }

  /// Calls a closure with each node that keeps values, and how many of them were lost when the subscription was disposed.
  func forEachQueue(_ body: (UInt64, UInt64) -> Void) {
    state.withLock { for (node, queue) in $0.queues { body(node, queue.lostCount) } }
  }

  /// Forgets what caused the values that wait.
  func forgetQueuedCauses() {
    state.withLock { for queue in $0.queues.values { queue.forgetCauses() } }
  }

  /// What the subscriber's handler takes.
  var handlerCounts: HandlerCounts {
    counts.withLock { counts in
      if let counts { return counts }
      let new = HandlerCounts()
      counts = new
      return new
    }
  }

  /// Forgets what the subscriber's handler took, and how long values waited.
  func forgetHandlerCounts() {
    counts.withLock { $0 = nil }
    state.withLock { for queue in $0.queues.values { queue.forgetWaits() } }
  }

  /// What is noted while handlers are traced, if there is anything.
  var knownHandlerCounts: HandlerCounts? { counts.withLock { $0 } }

  /// Finds the subscription while it lives, where the recorder wants to know.
  var findSubscription: (@Sendable () -> AnyObject?)? {
    get { finder.withLock { $0.find } }
    set { finder.withLock { $0.find = newValue } }
  }

  /// How the program came to subscribe, where the recorder wants to know.
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

  /// What was noted, in memory of its own. Whether a dictionary's memory is shared is told by counts of references, which the thread sanitizer
  /// does not see: who read the dictionary would seem to race with whoever notes something later.
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

/// Where an operator's further input, or the subscription of a shared signal, delivers to.
struct ChainDownstream: Sendable {
  enum Target: Sendable {
    case node(NodeReference)
    case source(SourceNode)
  }

  let target: Target
  /// What the connection to it carries.
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
