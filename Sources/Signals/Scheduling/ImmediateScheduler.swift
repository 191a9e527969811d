/// Runs all work at once, on the calling thread; no time passes, so delays are ignored.
///
/// For tests and previews of chains that hop, where order and time do not matter. To test timing, use a
/// ``VirtualTimeScheduler``.
///
/// ```swift
/// let bag = DisposeBag()
/// Signal.just("hello")
///   .delay(for: .seconds(60), on: .immediate)
///   .subscribe { print($0) }  // Prints at once.
///   .store(in: bag)
/// ```
///
/// With ``Signal/interval(every:on:after:tolerance:fileID:line:function:)``, with `collect` and `window` for a time, and
/// with `repeat` after a delay and without a limit, it is an endless loop, unless the downstream ends; with such a `retry`
/// if the signal always fails.
public struct ImmediateScheduler: Scheduler {
  /// Creates the scheduler.
  public init() {}

  /// Always the origin: no time passes here.
  public var now: SchedulerInstant { SchedulerInstant(sinceOrigin: .zero) }

  /// Runs work before returning.
  ///
  /// - Parameter work: Called once, on the calling thread.
  public func schedule(_ work: @escaping @Sendable () -> Void) {
    Recorder.withoutAuthor(work)
  }

  /// Runs work before returning.
  ///
  /// - Parameters:
  ///   - delay: Ignored.
  ///   - tolerance: Ignored.
  ///   - work: Called once, on the calling thread.
  /// - Returns: Finished work.
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
