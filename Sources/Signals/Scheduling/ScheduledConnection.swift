/// What an operator does once, on a scheduler, as soon as possible. It can be cancelled, which frees the closure.
final class ScheduledConnection: Disposable {
  private let scheduler: any Scheduler
  private let node: OperatorNode
  private let work: TakenOnce<@Sendable () -> Void>
  /// Called, anywhere, if the scheduler's actor is deallocated.
  private let orElse: @Sendable () -> Void
  /// The work on a virtual-time scheduler, which can be taken out of its queue.
  private let virtualWork: ScheduledWork?

  init(
    on scheduler: any Scheduler, of node: OperatorNode, _ work: @escaping @Sendable () -> Void,
    orElse: @escaping @Sendable () -> Void
  ) {
    self.scheduler = scheduler
    self.orElse = orElse
    self.node = node
    let virtual = scheduler as? VirtualTimeScheduler
    virtualWork = virtual.map { virtual in
      node.asAuthor { ScheduledWork(stage: .queued, recorder: virtual.recorder, work) }
    }
    self.work = TakenOnce(virtual == nil ? work : nil)
  }

  /// Requests the work from the scheduler. Called once.
  func request() {
    if let virtualWork { return (scheduler as? VirtualTimeScheduler)?.addNow(virtualWork) ?? () }
    node.asAuthor {
      if let actor = scheduler as? ActorScheduler {
        actor.schedule({ self.work.take()?() }, orElse: orElse)
      } else {
        scheduler.schedule { self.work.take()?() }
      }
    }
  }

  func dispose() {
    virtualWork?.dispose()
    withExtendedLifetime(work.take()) {}
  }

  var isDisposed: Bool { virtualWork?.isDisposed ?? work.isTaken }
}
