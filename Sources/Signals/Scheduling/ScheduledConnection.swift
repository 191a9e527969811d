#if !SIGNALS_THREAD_SANITIZER
  import Synchronization
#endif

/// An operator's one-time work on a scheduler, as soon as possible. It can be cancelled, which releases the closure.
final class ScheduledConnection: Disposable {
  private let scheduler: any Scheduler
  private let node: OperatorNode
  private let work: Mutex<(@Sendable () -> Void)?>
  /// The work on a virtual-time scheduler, which can be removed from its queue.
  private let virtualWork: ScheduledWork?

  init(on scheduler: any Scheduler, of node: OperatorNode, _ work: @escaping @Sendable () -> Void) {
    self.scheduler = scheduler
    self.node = node
    let virtual = scheduler as? VirtualTimeScheduler
    virtualWork = virtual.map { virtual in
      node.asAuthor { ScheduledWork(stage: .queued, recorder: virtual.recorder, work) }
    }
    self.work = Mutex(virtual == nil ? work : nil)
  }

  /// Requests the work from the scheduler. Called once.
  func request() {
    if let virtualWork { return (scheduler as? VirtualTimeScheduler)?.addNow(virtualWork) ?? () }
    node.asAuthor { scheduler.schedule { self.take()?() } }
  }

  private func take() -> (@Sendable () -> Void)? {
    work.withLock { work in
      defer { work = nil }
      return work
    }
  }

  func dispose() {
    virtualWork?.dispose()
    withExtendedLifetime(take()) {}
  }

  var isDisposed: Bool { virtualWork?.isDisposed ?? work.withLock { $0 == nil } }
}
