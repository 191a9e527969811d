import SignalGraph
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalRecording needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// Handlers are profiled while a client requests it: the sources they send to, the time they run, and their thread.
///
/// Groups of nodes have a flag for it next to their counters: so it costs next to nothing while it is off.
enum HandlerTracing {
  /// The node of the handler that runs on a thread.
  private static let key = makeKey()
  /// The node below which a thread measures time.
  private static let timedKey = makeKey()

  private static func makeKey() -> pthread_key_t {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("the system gives no thread-local memory") }
    return key
  }

  /// Returns whether it is called on the main queue. A closure that is itself the value of a mutex would be wrapped
  /// again at each access.
  private struct Main {
    let isHere: @Sendable () -> Bool
  }

  private static let main = Mutex<Main?>(nil)

  /// Sets the closure that detects the main queue.
  static func know(main isHere: @escaping @Sendable () -> Bool) {
    main.withLock { $0 = Main(isHere: isHere) }
  }

  /// Whether this is the main queue.
  static var isOnMain: Bool { main.withLock { $0 }?.isHere() == true }

  /// The node of the subscriber whose handler runs on this thread; the innermost one.
  static var current: UInt64? {
    pthread_getspecific(key).map { UInt64(UInt(bitPattern: $0)) }
  }

  /// Runs a node's handler, and adds its time.
  static func run(_ node: UInt64, adding times: HandlerCounts, _ handler: () throws -> Void) rethrows {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: UInt(node)))
    defer { pthread_setspecific(key, outer) }
    times.countCall()
    try measure(node, adding: times) { try HandlerCall.run(node, handler) }
  }

  /// Adds the time of work on this thread to that of a node's handler, from above it down to it. Nested calls count
  /// once.
  static func measure(_ node: UInt64, adding times: HandlerCounts, _ work: () throws -> Void) rethrows {
    let mark = UnsafeMutableRawPointer(bitPattern: UInt(node))
    let outer = pthread_getspecific(timedKey)
    if outer == mark { return try work() }
    pthread_setspecific(timedKey, mark)
    let thread = CauseTracing.thread
    let asideBefore = thread.aside
    // Only the main thread's time is used.
    let isMain = isOnMain
    let usage = isMain ? ThreadUsage.current : nil
    let start = nanoseconds
    defer {
      pthread_setspecific(timedKey, outer)
      var time = nanoseconds - start
      var cpuTime: UInt64?
      if let usage, let end = ThreadUsage.current {
        cpuTime = end.cpuTime - min(end.cpuTime, usage.cpuTime)
        time = usage.taken(until: end, elapsed: time)
      }
      // Work done only for profiling is not counted as the handler's.
      times.add(time - min(time, thread.aside - asideBefore), isMain: isMain, cpuTime: cpuTime)
    }
    try work()
  }

  static var nanoseconds: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }
}

/// The times of a handler, with the operators above it that run in the same call; and the record of the causes in its
/// chain.
final class HandlerCounts: Sendable {
  private let times = Mutex(HandlerTimes())
  let causes = Mutex(CauseNotes())

  func countCall() { times.withLock { $0.calls += 1 } }

  func add(_ nanoseconds: UInt64, isMain: Bool, cpuTime: UInt64? = nil) {
    let seconds = Double(nanoseconds) / 1_000_000_000
    times.withLock { times in
      times.seconds += seconds
      if isMain { times.mainSeconds += seconds }
      if let cpuTime { times.mainCPUSeconds = (times.mainCPUSeconds ?? 0) + Double(cpuTime) / 1_000_000_000 }
      times.longest = max(times.longest, seconds)
    }
  }

  /// The times so far; nil if it was never called.
  var reading: HandlerTimes? { times.withLock { $0.calls > 0 ? $0 : nil } }
}

/// A connection by which a handler sends to a source, or to an operator that queues values for a scheduler.
struct TracedSend: Hashable {
  let handler: UInt64
  let target: UInt64
}

extension GraphRecorder {
  /// Starts or stops profiling of handlers and tracking of causes for a client. It stops with the last one. The first
  /// start discards earlier results.
  ///
  /// - Parameters:
  ///   - client: The client; by default all without one of their own.
  ///   - isMain: Whether it is called on the main queue.
  package func traceHandlers(
    _ isOn: Bool, for client: ObjectIdentifier? = nil, isMain: @escaping @Sendable () -> Bool
  ) {
    HandlerTracing.know(main: isMain)
    let client = client ?? ObjectIdentifier(self)
    setTracing { clients in
      if isOn { clients.insert(client) } else { clients.remove(client) }
    }
  }

  private func setTracing(_ change: (inout Set<ObjectIdentifier>) -> Void) {
    // One after the other: else some nodes would be profiled and others not.
    let members = changingTracing.withLock { clients in
      change(&clients)
      let isOn = !clients.isEmpty
      let isNew = isOn != link.isTracing
      if isNew, isOn { state.withLock { $0.sends = [:] } }
      // Before the chains are listed: those that begin later read this.
      if link.tracing.exchange(isOn, ordering: .sequentiallyConsistent) != isOn {
        if isOn { CauseTracing.begin() } else { CauseTracing.end() }
      }
      // After the flag was cleared: late threads find that profiling is off.
      if !isOn { state.withLock { $0.sends = [:] } }
      let members = keepMembers()
      for source in members.sources { source.updateTracing() }
      for chain in members.chains {
        if isNew, isOn { chain.forgetHandlerCounts() }
        if isOn { chain.noteAsInput() } else { chain.forgetCauses() }
      }
      for chain in members.chains { chain.traceHandlers(isOn) }
      return members
    }
    members.letGo()
  }

  /// Whether handlers are profiled.
  package var isTracing: Bool { link.isTracing }

  /// Whether handlers are profiled for a client.
  package func isTracing(for client: ObjectIdentifier) -> Bool { changingTracing.withLock { $0.contains(client) } }

  /// Stops profiling for all clients.
  package func endTracing() { setTracing { $0 = [] } }

  /// Notes that a handler sends to a source, or to an operator's node that is reached by the same call.
  ///
  /// At most ``largestSends`` pairs are stored: handlers come and go during profiling.
  func noteSend(from handler: SendingHandler, to target: UInt64) {
    guard handler.isSending(to: target) else { return }
    let send = TracedSend(handler: handler.node, target: target)
    state.withLock { state in
      guard link.isTracing, state.sends.count < Self.largestSends || state.sends[send] != nil else { return }
      state.sends[send, default: 0] += 1
    }
  }

  static var largestSends: Int { 10_000 }

  /// Discards the sends of handlers, and to nodes, that have ended, once half of the space is used: profiling may last
  /// long. Nodes that are newer than the snapshot have not ended.
  ///
  /// - Parameter snapshot: The whole graph.
  func forgetEndedSends(in snapshot: GraphSnapshot) {
    let sends = state.withLock { $0.sends.count > Self.largestSends / 2 ? Array($0.sends.keys) : [] }
    guard !sends.isEmpty else { return }
    let newest = snapshot.nodes.map(\.id).max() ?? 0
    let live = Set(snapshot.nodes.lazy.filter { $0.state == .live }.map(\.id))
    func hasEnded(_ node: UInt64) -> Bool { node <= newest && !live.contains(node) }
    let ended = sends.filter { hasEnded($0.handler) || hasEnded($0.target) }
    state.withLock { state in
      for send in ended { state.sends[send] = nil }
    }
  }

  /// The sends of handlers to the nodes of a snapshot, as its edges.
  ///
  /// A value that reached an operator was sent to the source above it. If there are several, emitters and properties have
  /// noted the send themselves.
  ///
  /// - Parameter bindings: The writes of bindings, which are known even while handlers are not profiled.
  func feedback(in snapshot: GraphSnapshot, with bindings: [Edge]) -> [Edge] {
    let sends = state.withLock { $0.sends.map { (send: $0.key, count: $0.value) } }
    guard !sends.isEmpty || !bindings.isEmpty else { return [] }
    let shown = Set(snapshot.nodes.map(\.id))
    var sources = SourcesAbove(in: snapshot)
    var counts: [TracedSend: UInt64] = [:]
    var indirect: [(send: TracedSend, count: UInt64)] = []
    for (send, count) in sends where shown.contains(send.handler) && shown.contains(send.target) {
      if sources.isSource(send.target) { counts[send] = count } else { indirect.append((send, count)) }
    }
    let direct = Set(counts.keys)
    for (send, count) in indirect {
      let all = sources.above(send.target)
      var possible = all.filter { direct.contains(TracedSend(handler: send.handler, target: $0)) }
      if possible.isEmpty { possible = all.count > 1 ? all.subtracting(sources.shared) : all }
      guard possible.count == 1, let source = possible.first else { continue }
      // Both may have counted the same values.
      let known = TracedSend(handler: send.handler, target: source)
      counts[known] = max(counts[known] ?? 0, count)
    }
    for edge in bindings where shown.contains(edge.target) {
      counts[TracedSend(handler: edge.source, target: edge.target)] = edge.count ?? 0
    }
    return counts.sorted { ($0.key.handler, $0.key.target) < ($1.key.handler, $1.key.target) }
      .map { Edge(source: $0.key.handler, target: $0.key.target, kind: .feedback, count: $0.value) }
  }
}

/// The sources of each node of a snapshot: the nodes upstream that have no input.
private struct SourcesAbove {
  private let inputs: [UInt64: [UInt64]]
  /// Emitters, properties and shares.
  let shared: Set<UInt64>
  private var known: [UInt64: Set<UInt64>] = [:]

  init(in snapshot: GraphSnapshot) {
    inputs = Dictionary(grouping: snapshot.edges, by: \.target).mapValues { $0.map(\.source) }
    shared = Set(snapshot.nodes.lazy.filter { $0.since == nil }.map(\.id))
  }

  func isSource(_ node: UInt64) -> Bool { inputs[node] == nil }

  /// The sources of a node; none if more than 1,000 nodes would have to be looked at.
  mutating func above(_ node: UInt64) -> Set<UInt64> {
    if let found = known[node] { return found }
    var (found, waiting, seen) = (Set<UInt64>(), [node], Set([node]))
    while let next = waiting.popLast() {
      guard seen.count <= 1_000 else {
        found = []
        break
      }
      let above = inputs[next] ?? []
      if above.isEmpty { found.insert(next) }
      for source in above where seen.insert(source).inserted { waiting.append(source) }
    }
    known[node] = found
    return found
  }
}

extension NodeReference {
  /// Notes that a handler causes work to be scheduled for the node.
  func noteSend() {
    guard let recorder, recorder.link.isTracing, let handler = SendingHandler.current else { return }
    recorder.noteSend(from: handler, to: identifier)
  }
}

extension SourceNode {
  /// Notes that a handler enqueues a value for the thread inside the source.
  package func noteLateSend() {
    guard isTraced else { return }
    noteWaiting()
    if let handler = SendingHandler.current { recorder?.noteSend(from: handler, to: identifier) }
  }
}
