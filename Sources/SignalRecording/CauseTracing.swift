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

/// Causes of values are tracked while handlers are profiled: each send into a source has a number, which a thread knows
/// while it handles the send, and which accompanies scheduled work and waiting values.
///
/// A thread stores a stack of ``CauseFrame``s. It is not touched while causes are not tracked.
package enum CauseTracing {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    #if canImport(Darwin)
      let status = pthread_key_create(&key) { Unmanaged<CauseThread>.fromOpaque($0).release() }
    #else
      let status = pthread_key_create(&key) { thread in
        if let thread { Unmanaged<CauseThread>.fromOpaque(thread).release() }
      }
    #endif
    guard status == 0 else { preconditionFailure("the system gives no thread-local memory") }
    return key
  }()

  /// The number of recorders that track causes.
  private static let recorders = Atomic<Int>(0)
  private static let lastNumber = Atomic<UInt64>(0)

  /// Whether any recorder tracks causes.
  static var isOn: Bool { recorders.load(ordering: .relaxed) > 0 }

  /// Notes that a recorder begins to track causes.
  static func begin() { recorders.add(1, ordering: .relaxed) }

  /// Notes that a recorder no longer tracks causes.
  static func end() {
    if recorders.subtract(1, ordering: .relaxed).newValue == 0 { RecentStarts.forget() }
  }

  /// The number of a new cause.
  static func nextNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

  /// The state of this thread.
  static var thread: CauseThread {
    if let known = pthread_getspecific(key) {
      return Unmanaged<CauseThread>.fromOpaque(known).takeUnretainedValue()
    }
    let new = CauseThread()
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  /// The current activity of this thread or task.
  static var top: CauseFrame? { thread.top ?? TaskAuthor.current?.frame }

  /// Wraps work that another thread, or this one later, does on behalf of the caller, so that it is attributed to the
  /// cause, if causes are tracked.
  @inline(__always)
  package static func carrying(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    isOn ? carry(work) : work
  }

  @inline(never)
  private static func carry(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let top, let frame = top.left else { return work }
    return { thread.with(frame, work) }
  }
}

/// The activity of a thread with a value, or the requester of its work.
struct CauseFrame: Sendable {
  enum Place: Sendable {
    /// A value is on its way to a node.
    case way(to: UInt64)
    /// A subscriber's handler runs.
    case handler(UInt64)
    /// A source delivers.
    case source(SourceNode)
    /// Work runs that a node requested from a scheduler; 0 if no node did.
    case work(of: UInt64)
    /// A task of a node runs.
    case task(of: UInt64)
    /// Work runs that was enqueued for the thread inside a gate.
    case left
  }

  let place: Place
  /// The cause; 0 if there is none. Of a source, the one with which it was entered.
  let number: UInt64
  /// The cause under which it was requested, if it has none of its own.
  var under: UInt64 = 0

  /// The cause of the value that is being delivered, or under which this was requested; 0 if there is none.
  var latest: UInt64 {
    if case .source(let source) = place { return source.currentNumber }
    return number > 0 ? number : under
  }

  /// The frame for work that is enqueued here; nil if nothing is known.
  fileprivate var left: CauseFrame? {
    switch place {
    case .way, .left: CauseFrame(place: .left, number: number)
    case .source: CauseFrame(place: .left, number: latest)
    case .work, .task, .handler: self
    }
  }

  /// The origin of a cause that begins here.
  var beginning: CauseBeginning {
    let parent = latest
    return switch place {
    case .handler(let node): CauseBeginning(.handler, by: node, parent)
    case .way(let node): CauseBeginning(.closure, by: node, parent)
    case .work(let node): CauseBeginning(.timer, by: node, parent)
    case .task(let node): CauseBeginning(.task, by: node, parent)
    case .source, .left: CauseBeginning(.unknown, by: 0, parent)
    }
  }

  /// The origin of the values of a subscription that is created here.
  var subscribing: CauseBeginning {
    let beginning = beginning
    return CauseBeginning(.subscription, by: beginning.by, beginning.parent)
  }
}

/// The origin of a cause; 0 is none.
struct CauseBeginning: Sendable {
  let origin: Cause.Origin
  let by: UInt64
  let parent: UInt64

  init(_ origin: Cause.Origin, by: UInt64 = 0, _ parent: UInt64 = 0) {
    self.origin = origin
    self.by = by
    self.parent = parent
  }
}

/// The causes that accompany scheduled work.
struct CarriedCause: Sendable {
  /// The cause of the value that waits for the work; 0 if there is none.
  var number: UInt64 = 0
  /// The cause under which the work was requested.
  var under: UInt64 = 0

  /// Captures the causes for work that is requested here and now.
  ///
  /// - Parameter node: The requesting node.
  init(to node: NodeReference?) {
    if let node, let taken = CauseTracing.thread.takeTaken(of: node.identifier), taken.number > 0 {
      number = taken.number
      return
    }
    guard let top = CauseTracing.top else { return }
    switch top.place {
    case .way(let target) where target == node?.identifier: number = top.number
    case .source, .left:
      if node?.hasTracedInputs == true { number = top.latest } else { under = top.latest }
    case .work(let author) where author == node?.identifier:
      (number, under) = (top.number, top.under)
    default: under = top.latest
    }
  }
}

/// The frames of one thread. Only that thread uses it.
final class CauseThread {
  private static let lastThread = Atomic<Int>(0)

  private var frames: [CauseFrame] = []
  /// The total number of frames so far.
  private var steps: UInt64 = 0
  /// The value that was taken from a queue last.
  private var taken: (node: UInt64, number: UInt64, isTimed: Bool, steps: UInt64)?
  private let name: String
  /// The time spent on describing values, in nanoseconds.
  var aside: UInt64 = 0

  init() {
    name = Self.systemName ?? "thread \(Self.lastThread.add(1, ordering: .relaxed).newValue)"
  }

  /// The thread's name, if the program named it.
  private static var systemName: String? {
    #if canImport(Darwin) || canImport(Glibc)
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        guard let start = buffer.baseAddress, nameOfThread(pthread_self(), start, buffer.count) == 0 else {
          return nil
        }
        let name = String(cString: start)
        // Without one, threads have the program's name; those of queues, that of a quality of service.
        let isNone =
          name.isEmpty || name.hasSuffix("-qos") || name.hasSuffix("overcommit")
          || ProcessIdentity.current.name.hasPrefix(name)
        return isNone ? nil : name
      }
    #else
      return nil
    #endif
  }

  /// A label of the current thread.
  var words: String { HandlerTracing.isOnMain ? "main" : name }

  var top: CauseFrame? {
    // If tracking ended while a source delivered, its end was not noted.
    while let last = frames.last, case .source(let source) = last.place, !source.isEntered(with: last.number) {
      frames.removeLast()
    }
    return frames.last
  }

  /// Runs a closure in a frame.
  func with<Result>(_ frame: CauseFrame, _ body: () throws -> Result) rethrows -> Result {
    let depth = push(frame)
    // Including frames above it whose end was not noted, as tracking ended in the meantime.
    defer { while frames.count > depth { frames.removeLast() } }
    return try body()
  }

  /// Pushes a frame.
  ///
  /// - Returns: The number of frames below it.
  @discardableResult
  func push(_ frame: CauseFrame) -> Int {
    frames.append(frame)
    steps += 1
    return frames.count - 1
  }

  /// Pops the frame of a source, if it is the top.
  func pop(_ source: SourceNode) {
    if case .source(let last)? = top?.place, last === source { frames.removeLast() }
  }

  /// Notes that a value was taken from a node's queue, to be delivered right now.
  ///
  /// - Parameter isTimed: Whether a timer put it there.
  func take(_ number: UInt64, isTimed: Bool, of node: UInt64) { taken = (node, number, isTimed, steps) }

  /// The cause of the value that was just taken from a node's queue.
  func takeTaken(of node: UInt64) -> (number: UInt64, isTimed: Bool)? {
    guard let value = taken, value.node == node, value.steps == steps else { return nil }
    taken = nil
    return (value.number, value.isTimed)
  }
}

#if canImport(Darwin) || canImport(Glibc)
  /// The C library's function, which its module map omits on Linux.
  @_silgen_name("pthread_getname_np")
  private func nameOfThread(_ thread: pthread_t, _ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Int32
#endif
