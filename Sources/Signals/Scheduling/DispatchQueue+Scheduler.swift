public import Dispatch

// Suggests what to write instead of a queue. Not as operator overloads for queues: each doubles the work of the
// compiler, which then gives up on long chains with an error. Nor as a working conformance: a concurrent queue does not
// preserve the order.
@available(
  *, unavailable, message: "a queue is not a scheduler: write `.main` for the main queue, `.queue(queue)` for others"
)
extension DispatchQueue: Scheduler {
  /// Not available.
  public var now: SchedulerInstant { .uptime }

  /// Not available.
  ///
  /// - Parameter work: Not used.
  public func schedule(_ work: @escaping @Sendable () -> Void) {}

  /// Not available.
  ///
  /// - Parameters:
  ///   - delay: Not used.
  ///   - tolerance: Not used.
  ///   - work: Not used.
  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    Subscription(work)
  }
}
