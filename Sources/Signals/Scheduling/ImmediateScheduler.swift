/// Runs all work at once, on the calling thread; no time passes, so delays are ignored.
public struct ImmediateScheduler: Scheduler {
  /// Makes the scheduler.
  public init() {}

  /// Always the origin: no time passes here.
  public var now: SchedulerInstant { SchedulerInstant(sinceOrigin: .zero) }

  /// Runs work before returning.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    Recorder.withoutAuthor(work)
  }

  /// Runs work before returning.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let work = ScheduledWork(work)
    Recorder.withoutAuthor(work.run)
    return work
  }
}

extension Scheduler where Self == ImmediateScheduler {
  /// Runs all work at once, on the calling thread.
  public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}
