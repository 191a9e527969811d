import Synchronization

/// An operator's timer on any scheduler: each setting cancels a work item and schedules another.
// Safe: `count` is touched only inside the gate; the rest is constant or in a mutex.
final class SchedulerTimer: OperatorTimer, @unchecked Sendable {
  private struct State {
    var work: (any Disposable)?
    var isDisposed = false
  }

  private let scheduler: any Scheduler
  private let tolerance: Duration?
  private let state = Mutex(State())
  private var count: UInt64 = 0

  init(
    _ scheduler: any Scheduler, _ tolerance: Duration?, _ gate: Gate, _ node: OperatorNode,
    _ action: @escaping @Sendable (OperatorTimer) -> Void, afterwards: (@Sendable () -> Void)?
  ) {
    self.scheduler = scheduler
    self.tolerance = tolerance
    super.init(gate, node, action, afterwards: afterwards)
  }

  override func set(after delay: Duration) {
    assertInside()
    guard replaceWork(with: nil) else { return }
    count += 1
    setting = count
    let work = node.asAuthorOfTimer {
      scheduler.schedule(after: delay, tolerance: tolerance) { [weak self, count] in
        self?.fire(count)
      } orElse: { [weak self] in
        self?.abandon()
      }
    }
    if !replaceWork(with: work) { work.dispose() }
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
