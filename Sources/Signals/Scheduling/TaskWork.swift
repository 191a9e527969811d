/// A job of a task that waits in the queue of a virtual-time scheduler.
final class TaskWork: QueuedWork, @unchecked Sendable {
  // Safe: nothing is written after the initialiser. The scheduler is there when the job runs, because it is the one that runs it.
  private let job: UnownedJob
  private unowned let scheduler: VirtualTimeScheduler

  init(_ job: UnownedJob, on scheduler: VirtualTimeScheduler) {
    self.job = job
    self.scheduler = scheduler
  }

  override func moment(queuedFor key: Key) -> Key? { key }

  override func claim(queuedFor key: Key) -> Claim { .due }

  override func runClaimed() { job.runSynchronously(on: scheduler.asUnownedTaskExecutor()) }
}
