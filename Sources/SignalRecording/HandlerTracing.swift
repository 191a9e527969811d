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

/// What handlers do is traced while somebody asks for it: which sources they send to, and how long they run, on which thread.
///
/// Groups of nodes have a flag for it, which is beside their counters: so it costs next to nothing while nobody asks.
enum HandlerTracing {
  /// The node whose handler runs on a thread.
  private static let key = makeKey()
  /// The node below which time is being measured on a thread.
  private static let timedKey = makeKey()

  private static func makeKey() -> pthread_key_t {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("the system gives no thread-local memory") }
    return key
  }

  /// Tells whether it is called on the main queue. A closure that stands in a mutex by itself would be wrapped anew at each look at it.
  private struct Main {
    let isHere: @Sendable () -> Bool
  }

  private static let main = Mutex<Main?>(nil)

  /// Tells how to know the main queue.
  static func know(main isHere: @escaping @Sendable () -> Bool) {
    main.withLock { $0 = Main(isHere: isHere) }
  }

  /// Whether this is the main queue.
  static var isOnMain: Bool { main.withLock { $0 }?.isHere() == true }

  /// The node of the subscriber whose handler runs on this thread; the innermost of several.
  static var current: UInt64? {
    pthread_getspecific(key).map { UInt64(UInt(bitPattern: $0)) }
  }

  /// Runs a handler, that of a node, and adds what it took.
  static func run(_ node: UInt64, adding times: HandlerCounts, _ handler: () throws -> Void) rethrows {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: UInt(node)))
    defer { pthread_setspecific(key, outer) }
    times.countCall()
    try measure(node, adding: times) { try HandlerCall.run(node, handler) }
  }

  /// Adds to what a node's handler took what runs on this thread, from above it down to it. Within itself it counts once.
  static func measure(_ node: UInt64, adding times: HandlerCounts, _ work: () throws -> Void) rethrows {
    let mark = UnsafeMutableRawPointer(bitPattern: UInt(node))
    let outer = pthread_getspecific(timedKey)
    if outer == mark { return try work() }
    pthread_setspecific(timedKey, mark)
    let thread = CauseTracing.thread
    let asideBefore = thread.aside
    // Only the main thread's time is judged.
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
      // What is done only because somebody looks is not the handler's.
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

/// What a handler took, with the operators above it that run in the same call; and what is noted of the causes in its chain.
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

  /// What it took until now; nil if it was never called.
  var reading: HandlerTimes? { times.withLock { $0.calls > 0 ? $0 : nil } }
}

/// That a handler sends to a source, or to an operator that keeps values for a scheduler.
struct TracedSend: Hashable {
  let handler: UInt64
  let target: UInt64
}

extension GraphRecorder {
  /// Traces what handlers do, from now on or not any more. What was traced is forgotten when it begins anew.
  ///
  /// - Parameter isMain: Whether it is called on the main queue.
  package func traceHandlers(_ isOn: Bool, isMain: @escaping @Sendable () -> Bool) {
    HandlerTracing.know(main: isMain)
    setTracing(isOn)
  }

  private func setTracing(_ isOn: Bool) {
    // One after the other: else some nodes would be traced and others not.
    let members = changingTracing.withLock { _ in
      let isNew = isOn != link.isTracing
      if isNew, isOn { state.withLock { $0.sends = [:] } }
      // Before the chains are listed: those that begin later look at this.
      if link.tracing.exchange(isOn, ordering: .sequentiallyConsistent) != isOn {
        if isOn { CauseTracing.begin() } else { CauseTracing.end() }
      }
      // After it was said: who comes late finds that nobody traces.
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

  /// Whether what handlers do is traced.
  package var isTracing: Bool { link.isTracing }

  /// Traces nothing any more.
  func endTracing() { setTracing(false) }

  /// Notes that a handler sends to a source, or to an operator's node that is reached by the same call.
  ///
  /// No more than ``largestSends`` pairs are kept: handlers come and go for as long as it is traced.
  func noteSend(from handler: SendingHandler, to target: UInt64) {
    guard handler.isSending(to: target) else { return }
    let send = TracedSend(handler: handler.node, target: target)
    state.withLock { state in
      guard link.isTracing, state.sends.count < Self.largestSends || state.sends[send] != nil else { return }
      state.sends[send, default: 0] += 1
    }
  }

  static var largestSends: Int { 10_000 }

  /// What handlers sent to which of the nodes of a snapshot, as its edges.
  ///
  /// What reached an operator was sent to the source above it.
  ///
  /// - Parameter bindings: What bindings write, which is known also while handlers are not traced.
  func feedback(in snapshot: GraphSnapshot, with bindings: [Edge]) -> [Edge] {
    let sends = state.withLock { $0.sends.map { (send: $0.key, count: $0.value) } }
    guard !sends.isEmpty || !bindings.isEmpty else { return [] }
    let shown = Set(snapshot.nodes.map(\.id))
    let above = Dictionary(snapshot.edges.map { ($0.target, $0.source) }) { first, _ in first }
    var counts: [TracedSend: UInt64] = [:]
    for (send, count) in sends where shown.contains(send.handler) && shown.contains(send.target) {
      var source = send.target
      var steps = 0
      while let next = above[source], steps < 1_000 {
        source = next
        steps += 1
      }
      // Both may have noted the same values.
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

extension NodeReference {
  /// Notes that work is being scheduled for the node, where a handler causes that.
  func noteSend() {
    guard let recorder, recorder.link.isTracing, let handler = SendingHandler.current else { return }
    recorder.noteSend(from: handler, to: identifier)
  }
}

extension SourceNode {
  /// Notes that a value is left behind for whoever is inside the source, where a handler does that.
  package func noteLateSend() {
    guard isTraced else { return }
    noteWaiting()
    if let handler = SendingHandler.current { recorder?.noteSend(from: handler, to: identifier) }
  }
}
