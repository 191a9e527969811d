import Synchronization

/// A task's job in the queue of a virtual-time scheduler.
// Safe: only the atomic is written after the initialiser.
final class TaskWork: QueuedWork, @unchecked Sendable {
  let job: UnownedJob
  // Safe: it exists when the job runs, because it runs the job; nothing else uses it.
  private unowned(unsafe) let scheduler: VirtualTimeScheduler
  private let run: (@Sendable (UnownedJob) -> Void)?
  private let isTaken = Atomic<Bool>(false)

  init(_ job: UnownedJob, on scheduler: VirtualTimeScheduler, running run: (@Sendable (UnownedJob) -> Void)?) {
    self.job = job
    self.scheduler = scheduler
    self.run = run
  }

  /// Removes the job from virtual time.
  ///
  /// - Returns: Whether it was still queued. Only then may the caller run it.
  func leave() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

  override func moment(queuedFor key: Key) -> Key? { isTaken.load(ordering: .acquiring) ? nil : key }

  override func claim(queuedFor key: Key) -> Claim { leave() ? .due : .over }

  override func runClaimed() {
    scheduler.watch?.noteRunning()
    if let run { return run(job) }
    guard let watch = scheduler.watch else { return job.runSynchronously(on: scheduler.asUnownedTaskExecutor()) }
    watch.runOffMainActor { job.runSynchronously(on: scheduler.asUnownedTaskExecutor()) }
  }
}
