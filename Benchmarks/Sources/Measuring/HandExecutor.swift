import Synchronization

/// Runs the jobs of tasks when it is told to, on the thread that says so: what tasks do can be measured and counted exactly.
public final class HandExecutor: TaskExecutor {
  private let waiting = Mutex<[UnownedJob]>([])

  /// Makes an executor without jobs.
  public init() {}

  /// Takes a job. The runtime calls this.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    waiting.withLock { $0.append(job) }
  }

  /// Runs jobs until there are none.
  public func run() {
    var jobs: [UnownedJob] = []
    while true {
      jobs.removeAll(keepingCapacity: true)
      waiting.withLock { swap(&$0, &jobs) }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
