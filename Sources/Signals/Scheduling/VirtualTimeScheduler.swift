import Synchronization

/// A scheduler whose time is advanced manually: timing tests become exact and instant.
///
/// ```swift
/// let bag = DisposeBag()
/// let scheduler = VirtualTimeScheduler()
/// let keystrokes = Emitter<String>()
/// keystrokes.signal
///   .debounce(for: .milliseconds(300), on: scheduler)
///   .subscribe { print("searching for \($0)") }
///   .store(in: bag)
///
/// keystrokes.send("marble")
/// try scheduler.advance(by: .milliseconds(299))  // Nothing yet.
/// try scheduler.advance(by: .milliseconds(1))  // Prints "searching for marble".
/// ```
///
/// It is also a Swift `Clock` and a task executor: code that awaits `sleep` on it, or that consumes asynchronous
/// sequences, runs under the same virtual time as operators if its task was started with
/// ``task(fileID:line:function:_:)`` or `Task(executorPreference:)`; child tasks follow. Other tasks are not captured,
/// unless the scheduler is that of a `marbles` or `withVirtualTime` of SignalTesting: those capture all tasks that a
/// test starts.
///
/// Work runs on the thread that calls ``advance(by:)``, ``advance(to:)`` or ``run(until:)``. Scheduling is thread-safe.
/// Only one thread may advance at a time; a nested or concurrent call throws.
///
/// - Complexity: scheduling and running take O(log *n*) in the number of waiting work items, even with a chooser.
public final class VirtualTimeScheduler: Scheduler, Clock, TaskExecutor {
  /// The order of work with the same deadline. Lower comes first.
  public enum Phase: Int, Comparable, Sendable {
    /// The test's own actions: subscribing and disposing.
    case test
    /// Events of sources that run independently of their subscribers.
    case hotSource
    /// Everything else: timers, cold sources, tasks.
    case work

    /// Whether one phase comes before the other.
    ///
    /// - Parameters:
    ///   - left: A phase.
    ///   - right: Another phase.
    public static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  /// A scheduling strategy: picks the next among work items that are ready at the same instant in the same phase.
  ///
  /// It gets their number (at least 2), in scheduling order, and returns an index; an index out of range counts as 0.
  /// Work scheduled for that instant in the meantime is included; cancelled or postponed work is not. It is called
  /// without a lock, on the thread that advances time.
  ///
  /// ```swift
  /// let newestFirst = VirtualTimeScheduler { ready in ready - 1 }
  /// newestFirst.schedule { print("scheduled first") }
  /// newestFirst.schedule { print("scheduled last") }
  /// try newestFirst.advance()  // The last comes first.
  /// ```
  public typealias Chooser = @Sendable (_ ready: Int) -> Int

  let state = Mutex(State())
  let recorder = Recorder.current
  /// The test's watch around this scheduler.
  package let watch: (any VirtualTimeWatch)?
  /// The maximum number of work items in one call.
  public let workLimit: Int
  /// Its number among all of the process. Unlike its address, it is never reused.
  package let number = VirtualTimeScheduler.numbers.add(1, ordering: .relaxed).newValue

  private static let numbers = Atomic<UInt64>(0)

  /// Creates a scheduler at the origin of its time.
  ///
  /// - Parameters:
  ///   - workLimit: The maximum number of work items in one call.
  ///   - chooser: Picks among work that is ready at the same instant; scheduling order if nil.
  public init(workLimit: Int = 10_000_000, chooser: Chooser? = nil) {
    self.workLimit = workLimit
    watch = nil
    state.withLock { $0.chooser = chooser }
  }

  /// Creates a scheduler that a test watches.
  package init(workLimit: Int, chooser: Chooser?, watchedBy watch: any VirtualTimeWatch) {
    self.workLimit = workLimit
    self.watch = watch
    state.withLock { $0.chooser = chooser }
  }

  /// Replaces the chooser among work that is ready at the same instant.
  ///
  /// - Parameter chooser: Picks the next work item; scheduling order if `nil`.
  public func setChooser(_ chooser: Chooser?) {
    // The previous one is released after the lock: a release may run any code.
    let old = state.withLock { state in
      defer { state.chooser = chooser }
      return state.chooser
    }
    withExtendedLifetime(old) {}
  }

  deinit {
    // The remaining work may be released only once no lock is held.
    let left = state.withLock { $0.removeAll() }
    withExtendedLifetime(left) {}
  }
}
