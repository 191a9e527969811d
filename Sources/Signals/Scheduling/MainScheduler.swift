import Dispatch
import Synchronization

/// Runs work on the main queue. There are two variants (law 14).
///
/// - ``Scheduler/main`` never runs work before `schedule` returns.
/// - ``Scheduler/mainImmediate`` runs it at once if the caller is on the main queue and no work scheduled earlier is
///   waiting; otherwise it enqueues the work. So both preserve the order.
///
/// ```swift
/// @MainActor final class Window { var title = "" }
/// let bag = DisposeBag()
/// let window = Window()
/// let title = Property("Welcome")
/// title.signal
///   .receive(on: .main)
///   .subscribe { title in MainActor.assumeIsolated { window.title = title } }
///   .store(in: bag)
/// ```
///
/// It checks for the main queue, not for the main thread: the queue moves between threads under `dispatchMain()` and in
/// an `async` main function. Main actor code runs on the main queue, and all work of this scheduler may use
/// `MainActor.assumeIsolated`.
///
/// Nothing is delivered unless the program runs the main queue: with a run loop, `dispatchMain()`, or an `async` main
/// function.
public struct MainScheduler: Scheduler {
  private let isImmediate: Bool
  /// The number of work items without a delay that wait in the main queue; the running one no longer counts.
  private static let waiting = Atomic<Int>(0)
  /// Set on the main queue, and so on queues that target it.
  private static let mark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  fileprivate init(isImmediate: Bool) { self.isImmediate = isImmediate }

  /// The system's uptime.
  public var now: SchedulerInstant {
    RealTimeWatch.noteReading()
    return .uptime
  }

  /// Runs work on the main queue as soon as possible; with ``Scheduler/mainImmediate``, at once where that preserves
  /// the order.
  ///
  /// - Parameter work: Called once, on the main queue.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    if isImmediate, Self.isHere {
      // Virtual time runs actors and detached tasks on the thread of the main actor, for which they would have to wait
      // in a program.
      if RealTimeWatch.isOffMainActor || Self.waitingVirtually.load(ordering: .relaxed) > 0,
        RealTimeWatch.isInVirtualTime
      {
        return Self.scheduleVirtually(work)
      }
      if isNothingWaiting { return Recorder.withoutAuthor(work) }
    }
    scheduleLater(work)
  }

  /// The number of work items that wait for a main actor in virtual time.
  private static let waitingVirtually = Atomic<Int>(0)

  /// Runs work as a task of the main actor, which virtual time takes over.
  private static func scheduleVirtually(_ work: @escaping @Sendable () -> Void) {
    waitingVirtually.add(1, ordering: .relaxed)
    Task { @MainActor in
      waitingVirtually.subtract(1, ordering: .relaxed)
      Recorder.withoutAuthor(work)
    }
  }

  /// Whether no work scheduled earlier is waiting. Work in the real main queue never precedes the work of a virtual
  /// time: it belongs to other code, such as tests that run at the same time.
  private var isNothingWaiting: Bool {
    Self.waiting.load(ordering: .acquiring) == 0 || RealTimeWatch.isInVirtualTime
  }

  /// Runs work on the main queue, never before returning.
  func scheduleLater(_ work: @escaping @Sendable () -> Void) {
    Self.waiting.add(1, ordering: .relaxed)
    DispatchQueue.main.runSoon(recorder: .nobody) {
      // Everything scheduled before has begun: immediate work that the closure schedules overtakes nothing.
      Self.waiting.subtract(1, ordering: .releasing)
      work()
    }
  }

  /// Whether the caller runs on the main queue. The dispatch-specific value is read, as the thread does not determine
  /// it.
  package static var isHere: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  /// Runs work on the main queue after a delay, never before returning.
  ///
  /// - Parameters:
  ///   - delay: The delay; a negative one counts as zero.
  ///   - tolerance: The accepted additional delay, to save energy; `nil` leaves that to the system.
  ///   - work: Called once, on the main queue, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    DispatchQueue.main.run(after: delay, tolerance: tolerance, recorder: .nobody, work)
  }
}

extension Scheduler where Self == MainScheduler {
  /// The main queue, always asynchronously.
  ///
  /// Put `receive(on: .main)` last: below an operator with another input or with several subscribers, a value is
  /// delivered where its input delivers it.
  public static var main: MainScheduler { MainScheduler(isImmediate: false) }
  /// The main queue, at once if already there and no work is waiting.
  ///
  /// Put `receive(on: .mainImmediate)` last, as with ``main``. A value that is sent on the main queue is delivered
  /// before `send` returns, unless earlier ones are still pending.
  public static var mainImmediate: MainScheduler { MainScheduler(isImmediate: true) }
}
