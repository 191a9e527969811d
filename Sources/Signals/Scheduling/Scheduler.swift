/// Decides when and where work runs. Operators that have to do with time or queues take one explicitly.
///
/// Work that is due at the same time runs in the order in which it was scheduled.
public protocol Scheduler: Sendable {
  /// The scheduler's own time.
  var now: SchedulerInstant { get }

  /// Runs work as soon as possible, in the order of the calls (law 14).
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs work after a delay; a negative delay counts as zero.
  ///
  /// - Parameter tolerance: How much later it may run, to save energy; nil leaves that to the system.
  /// - Returns: What cancels it. Releasing it does not.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable
}

extension Scheduler {
  /// Runs work after a delay; a negative delay counts as zero.
  ///
  /// - Returns: What cancels it. Releasing it does not.
  public func schedule(
    after delay: Duration,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    WorkAuthor.at(Site("schedule(after:)", fileID, line, function)) { schedule(after: delay, tolerance: nil, work) }
  }
}

/// A moment in a scheduler's own time.
public struct SchedulerInstant: InstantProtocol {
  /// How long after the scheduler's origin.
  public var sinceOrigin: Duration

  /// Makes the moment so long after the origin.
  public init(sinceOrigin: Duration) {
    self.sinceOrigin = sinceOrigin
  }

  /// The moment so much later.
  public func advanced(by duration: Duration) -> SchedulerInstant {
    SchedulerInstant(sinceOrigin: sinceOrigin + duration)
  }

  /// How much later the other moment is.
  public func duration(to other: SchedulerInstant) -> Duration {
    other.sinceOrigin - sinceOrigin
  }

  /// Whether one moment comes before the other.
  public static func < (left: SchedulerInstant, right: SchedulerInstant) -> Bool {
    left.sinceOrigin < right.sinceOrigin
  }
}
