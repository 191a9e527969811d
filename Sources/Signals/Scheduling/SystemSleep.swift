/// A task that sleeps on a clock of the system.
package protocol SystemSleeper: AnyObject, Sendable {
  /// Whether the task was cancelled, so that it no longer sleeps. Called under the scheduler's lock.
  var isCancelled: Bool { get }
  /// Wakes the task, on the thread that advances time. Called at most once, and not if the task was cancelled before.
  func wake()
}

/// The end of a task's sleep on a clock of the system, in the queue of virtual time.
///
/// The system does not tell when such a task is cancelled: then this counts as over, so that time does not advance for it.
// Safe: nothing is written after the initialiser.
final class SystemSleep: QueuedWork, @unchecked Sendable {
  private let sleeper: any SystemSleeper

  init(of sleeper: any SystemSleeper) { self.sleeper = sleeper }

  override func moment(queuedFor key: Key) -> Key? { sleeper.isCancelled ? nil : key }

  override func claim(queuedFor key: Key) -> Claim { sleeper.isCancelled ? .over : .due }

  override func runClaimed() { sleeper.wake() }
}

extension VirtualTimeScheduler {
  /// Wakes a task that sleeps on a clock of the system.
  ///
  /// - Parameters:
  ///   - sleeper: The task, released without a lock.
  ///   - deadline: The end of the sleep.
  package func add(_ sleeper: any SystemSleeper, until deadline: SchedulerInstant) {
    add(SystemSleep(of: sleeper)) { $0.nextKey(deadline.sinceOrigin.attoseconds, .work) }
  }
}
