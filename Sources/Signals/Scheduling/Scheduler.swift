/// Decides when and where work runs. Operators that use time or queues take one explicitly.
///
/// - ``main``: the main queue, always asynchronously;
/// - ``mainImmediate``: the main queue, at once if already there;
/// - ``queue(_:)`` and ``qos(_:)``: a custom or a global dispatch queue;
/// - ``immediate``: at once, on the calling thread;
/// - ``VirtualTimeScheduler``: for tests, time is advanced manually.
///
/// ```swift
/// let bag = DisposeBag()
///
/// /// A clock takes its scheduler as an argument, so that a test can hand it another one.
/// func clock(on scheduler: any Scheduler) -> Signal<Int> {
///   .interval(every: .seconds(1), on: scheduler)
/// }
/// clock(on: .main).subscribe { print($0) }.store(in: bag)
/// ```
///
/// Work with the same deadline runs in the order in which it was scheduled. Operators deliver one event at a time, in
/// order, even on a scheduler that runs several work items at once, or that runs work before `schedule` returns.
public protocol Scheduler: Sendable {
  /// The scheduler's own time, which is unrelated to the date. It never goes backwards.
  var now: SchedulerInstant { get }

  /// Runs work as soon as possible, in the order of the calls (law 14).
  ///
  /// - Parameter work: Called once, where the scheduler runs its work.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs work after a delay; a negative delay counts as zero.
  ///
  /// - Parameters:
  ///   - delay: The delay after ``now``.
  ///   - tolerance: The accepted additional delay, to save energy; `nil` leaves that to the system.
  ///   - work: Called once, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable
}

extension Scheduler {
  /// Runs work after a delay; a negative delay counts as zero.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let scheduler = VirtualTimeScheduler()
  /// scheduler.schedule(after: .seconds(2)) { print("two seconds later") }.store(in: bag)
  /// try scheduler.advance(by: .seconds(2))
  /// ```
  ///
  /// - Parameters:
  ///   - delay: The delay after ``now``.
  ///   - work: Called once, unless it is cancelled before.
  /// - Returns: Cancels the work when it is disposed. Releasing it does not cancel anything.
  public func schedule(
    after delay: Duration,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    Recorder.attributingWork(to: Site("schedule(after:)", fileID: fileID, line: line, function: function)) {
      schedule(after: delay, tolerance: nil, work)
    }
  }
}

/// An instant in a scheduler's own time.
///
/// Instants of different schedulers are not comparable. Arithmetic does not trap: results are clamped to the
/// representable instants.
public struct SchedulerInstant: InstantProtocol {
  /// The duration since the scheduler's origin, which each scheduler defines: the start of a test, or of the machine.
  public var sinceOrigin: Duration

  /// Creates the instant at a duration after the origin.
  ///
  /// - Parameter sinceOrigin: The duration since the origin.
  public init(sinceOrigin: Duration) {
    self.sinceOrigin = sinceOrigin
  }

  /// Returns the instant that is a duration later, clamped to the representable instants.
  ///
  /// - Parameter duration: The duration; a negative one leads to an earlier instant.
  public func advanced(by duration: Duration) -> SchedulerInstant {
    SchedulerInstant(sinceOrigin: sinceOrigin.addingClamped(duration))
  }

  /// Returns the instant `count` durations later; nil if it is not representable.
  func advanced(by duration: Duration, times count: Int) -> SchedulerInstant? {
    let (product, isTooLong) = duration.attoseconds.multipliedReportingOverflow(by: Int128(count))
    let (sum, isTooLate) = sinceOrigin.attoseconds.addingReportingOverflow(product)
    return isTooLong || isTooLate ? nil : SchedulerInstant(sinceOrigin: Duration(attoseconds: sum))
  }

  /// Returns the duration to another instant, clamped to the representable durations.
  ///
  /// - Parameter other: The other instant. The result is negative if it is earlier.
  public func duration(to other: SchedulerInstant) -> Duration {
    let (difference, isBeyond) = other.sinceOrigin.attoseconds.subtractingReportingOverflow(sinceOrigin.attoseconds)
    return isBeyond ? .farthest(isNegative: other < self) : Duration(attoseconds: difference)
  }

  /// Whether one instant is before the other.
  ///
  /// - Parameters:
  ///   - left: An instant.
  ///   - right: Another instant.
  public static func < (left: SchedulerInstant, right: SchedulerInstant) -> Bool {
    left.sinceOrigin < right.sinceOrigin
  }
}

// The operators of `Duration` trap on overflow.
extension Duration {
  /// The sum, clamped to the representable durations.
  func addingClamped(_ other: Duration) -> Duration {
    let (sum, isBeyond) = attoseconds.addingReportingOverflow(other.attoseconds)
    return isBeyond ? .farthest(isNegative: other < .zero) : Duration(attoseconds: sum)
  }

  /// The whole nanoseconds, clamped to the range of the type.
  var clampedNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  fileprivate static func farthest(isNegative: Bool) -> Duration {
    Duration(attoseconds: isNegative ? .min : .max)
  }
}
