import Synchronization

/// A scheduler that stores cancelled work until its deadline, as dispatch queues do.
protocol StoresCancelledWork: Scheduler {}

extension DispatchQueueScheduler: StoresCancelledWork {}
extension MainScheduler: StoresCancelledWork {}
extension ActorScheduler: StoresCancelledWork {}

/// An operator's timer on any scheduler: each setting cancels a work item and schedules another.
///
/// Where the scheduler stores cancelled work, that would take memory for each value until its deadline. So a later
/// deadline leaves the scheduled work unchanged: when it runs, it schedules the rest. A recorded work item is replaced
/// all the same, as it runs on behalf of the cause of its setting.
// Safe: `count`, `deadline` and `scheduled` are touched only inside the gate; the rest is constant or in a mutex.
final class SchedulerTimer: OperatorTimer, @unchecked Sendable {
  private struct State {
    var work: (any Disposable)?
    var isDisposed = false
  }

  private let scheduler: any Scheduler
  private let tolerance: Duration?
  private let storesCancelledWork: Bool
  private let state = Mutex(State())
  private var count: UInt64 = 0
  /// The deadline of the current setting, while work may run for a later setting than its own.
  private var deadline = SchedulerInstant(sinceOrigin: .zero)
  /// That work: the setting that scheduled it, and when it runs.
  private var scheduled: (setting: UInt64, at: SchedulerInstant, delay: Duration)?

  init(
    _ scheduler: any Scheduler, _ tolerance: Duration?, _ gate: Gate, _ node: OperatorNode,
    _ action: @escaping @Sendable (OperatorTimer) -> Void, afterwards: (@Sendable () -> Void)?
  ) {
    self.scheduler = scheduler
    self.tolerance = tolerance
    storesCancelledWork = tolerance == nil && scheduler is any StoresCancelledWork
    super.init(gate, node, action, afterwards: afterwards)
  }

  override func set(after delay: Duration) {
    assertInside()
    count += 1
    setting = count
    // In virtual time nothing is stored, and equal deadlines keep the order of their settings.
    if storesCancelledWork, !node.isRecorded, !RealTimeWatch.isInVirtualTime {
      deadline = scheduler.now.advanced(by: delay)
      // Not that of a longer delay, to which the system may add more.
      if let scheduled, scheduled.at <= deadline, scheduled.delay <= delay { return }
      scheduled = (count, deadline, delay)
    } else {
      scheduled = nil
    }
    schedule(after: delay)
  }

  /// Replaces the work.
  private func schedule(after delay: Duration) {
    guard replaceWork(with: nil) else { return }
    let work = node.asAuthorOfTimer {
      scheduler.schedule(after: delay, tolerance: tolerance) { [weak self, count] in
        self?.fire(count)
      } orElse: { [weak self] in
        self?.abandon()
      }
    }
    if !replaceWork(with: work) { work.dispose() }
  }

  override func isDue(_ number: UInt64) -> Bool {
    guard number == scheduled?.setting, setting != 0 else { return number == setting }
    scheduled = nil
    if number == setting { return true }
    // Also if the deadline has passed: other work that was scheduled before the setting comes first.
    let rest = max(.zero, scheduler.now.duration(to: deadline))
    scheduled = (setting, deadline, rest)
    schedule(after: rest)
    return false
  }

  override func dispose() {
    let work = state.withLock { state in
      state.isDisposed = true
      defer { state.work = nil }
      return state.work
    }
    work?.dispose()
  }

  override var isDisposed: Bool { state.withLock { $0.isDisposed } }

  /// - Returns: Whether the new work is retained, because the timer is not disposed.
  private func replaceWork(with work: (any Disposable)?) -> Bool {
    let (old, isKept): ((any Disposable)?, Bool) = state.withLock { state in
      guard !state.isDisposed else { return (nil, false) }
      defer { state.work = work }
      return (state.work, true)
    }
    old?.dispose()
    return isKept
  }
}
