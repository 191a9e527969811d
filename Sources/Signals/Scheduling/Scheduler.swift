/// Decides when and where work runs. Operators that have to do with time or queues take one explicitly.
///
/// - ``main``: the main queue, always asynchronously;
/// - ``mainImmediate``: the main queue, at once when already there;
/// - ``queue(_:)`` and ``qos(_:)``: a dispatch queue of yours, a global one;
/// - ``immediate``: at once, wherever that is;
/// - ``VirtualTimeScheduler``: for tests, time passes when it is told to.
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
/// Work that is due at the same time runs in the order in which it was scheduled. Operators deliver one event at a time, in order, also on a
/// scheduler that runs several work items at once, or that runs work before `schedule` returns.
public protocol Scheduler: Sendable {
  /// The scheduler's own time, which has nothing to do with the date. It never goes back.
  var now: SchedulerInstant { get }

  /// Runs work as soon as possible, in the order of the calls (law 14).
  ///
  /// - Parameter work: Called once, wherever the scheduler runs its work.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs work after a delay; a negative delay counts as zero.
  ///
  /// - Parameters:
  ///   - delay: How much later than ``now``.
  ///   - tolerance: How much later still it may run, to save energy; `nil` leaves that to the system.
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
  ///   - delay: How much later than ``now``.
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

/// A moment in a scheduler's own time.
///
/// Moments of different schedulers have nothing to do with each other. Arithmetic does not trap: what lies beyond the last moment counts as
/// the last moment.
public struct SchedulerInstant: InstantProtocol {
  /// How long after the scheduler's origin. What the origin is, the scheduler decides: the start of a test, or of the machine.
  public var sinceOrigin: Duration

  /// Makes the moment that is a duration after the origin.
  ///
  /// - Parameter sinceOrigin: How long after the origin.
  public init(sinceOrigin: Duration) {
    self.sinceOrigin = sinceOrigin
  }

  /// The moment that is a duration later, but no later than the last and no earlier than the first moment that can be expressed.
  ///
  /// - Parameter duration: How much later; a negative duration is earlier.
  public func advanced(by duration: Duration) -> SchedulerInstant {
    SchedulerInstant(sinceOrigin: sinceOrigin.addingClamped(duration))
  }

  /// The moment so many durations later; nil if that is after the last moment that there is.
  func advanced(by duration: Duration, times count: Int) -> SchedulerInstant? {
    let (product, isTooLong) = duration.attoseconds.multipliedReportingOverflow(by: Int128(count))
    let (sum, isTooLate) = sinceOrigin.attoseconds.addingReportingOverflow(product)
    return isTooLong || isTooLate ? nil : SchedulerInstant(sinceOrigin: Duration(attoseconds: sum))
  }

  /// How much later the other moment is, but no more than the longest and no less than the shortest duration that can be expressed.
  ///
  /// - Parameter other: The other moment. The result is negative if it is earlier.
  public func duration(to other: SchedulerInstant) -> Duration {
    let (difference, isBeyond) = other.sinceOrigin.attoseconds.subtractingReportingOverflow(sinceOrigin.attoseconds)
    return isBeyond ? .farthest(isNegative: other < self) : Duration(attoseconds: difference)
  }

  /// Whether one moment comes before the other.
  ///
  /// - Parameters:
  ///   - left: A moment.
  ///   - right: Another moment.
  public static func < (left: SchedulerInstant, right: SchedulerInstant) -> Bool {
    left.sinceOrigin < right.sinceOrigin
  }
}

// The operators of `Duration` trap on overflow.
extension Duration {
  /// The sum; the longest or the shortest duration that can be told, if it is beyond that.
  func addingClamped(_ other: Duration) -> Duration {
    let (sum, isBeyond) = attoseconds.addingReportingOverflow(other.attoseconds)
    return isBeyond ? .farthest(isNegative: other < .zero) : Duration(attoseconds: sum)
  }

  /// The whole nanoseconds; the most or the least that fit, if there are more or less.
  var clampedNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  fileprivate static func farthest(isNegative: Bool) -> Duration {
    Duration(attoseconds: isNegative ? .min : .max)
  }
}
