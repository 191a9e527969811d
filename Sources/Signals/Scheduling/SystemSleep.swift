/// The end of a task's sleep on a clock of the system, in the queue of virtual time.
///
/// The system does not tell when such a task is cancelled: then this counts as over, so that time does not advance for it.
// Safe: nothing is written after the initialiser.
final class SystemSleep: QueuedWork, @unchecked Sendable {
  private let isCancelled: @Sendable () -> Bool
  private let wake: @Sendable () -> Void

  init(isCancelled: @escaping @Sendable () -> Bool, wake: @escaping @Sendable () -> Void) {
    self.isCancelled = isCancelled
    self.wake = wake
  }

  override func moment(queuedFor key: Key) -> Key? {
    isCancelled() ? nil : key
  }

  override func claim(queuedFor key: Key) -> Claim { isCancelled() ? .over : .due }

  override func runClaimed() { wake() }
}

extension VirtualTimeScheduler {
  /// Wakes a task that sleeps on a clock of the system.
  ///
  /// - Parameters:
  ///   - deadline: The end of the sleep.
  ///   - isCancelled: Whether the task was cancelled, so that it no longer sleeps. Called under the scheduler's lock.
  ///   - wake: Called at the deadline, unless the task was cancelled. Released without a lock.
  package func addSystemSleep(
    until deadline: SchedulerInstant, isCancelled: @escaping @Sendable () -> Bool, wake: @escaping @Sendable () -> Void
  ) {
    add(SystemSleep(isCancelled: isCancelled, wake: wake)) { $0.nextKey(deadline.sinceOrigin.attoseconds, .work) }
  }
}
