#if !SIGNALS_THREAD_SANITIZER
  import Synchronization
#endif

/// What an operator does once, on a scheduler, as soon as possible. It can be cancelled, which frees the closure.
final class ScheduledConnection: Disposable {
  private let scheduler: any Scheduler
  private let node: OperatorNode
  private let work: Mutex<(@Sendable () -> Void)?>
  /// The work on a virtual-time scheduler, which can be taken out of its queue.
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

  /// Asks the scheduler for the work. Called once.
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
