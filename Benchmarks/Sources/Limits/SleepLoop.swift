// With these compilers, the runtime calls a task's executor for a sleep.
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
  @_spi(ExperimentalScheduling) public import _Concurrency

  /// Runs jobs, and ends sleeps in their order without waiting, on the thread that says so: what a sleep costs the runtime itself, with a heap
  /// around it.
  public final class SleepLoop: TaskExecutor, @unchecked Sendable {
    // Safe: it is used by one thread.
    private struct Sleep {
      let end: Duration
      let number: Int
      let job: UnownedJob

      static func < (left: Sleep, right: Sleep) -> Bool {
        left.end == right.end ? left.number < right.number : left.end < right.end
      }
    }

    private var now = Duration.zero
    private var count = 0
    private var ready: [UnownedJob] = []
    private var sleeps: [Sleep] = []

    /// Makes an executor without jobs.
    public init() {}

    /// Takes a job. The runtime calls this.
    public func enqueue(_ job: consuming ExecutorJob) { ready.append(UnownedJob(job)) }

    fileprivate func sleep(_ job: UnownedJob, _ duration: Duration) {
      count += 1
      let sleep = Sleep(end: now + duration, number: count, job: job)
      sleeps.append(sleep)
      var index = sleeps.count - 1
      while index > 0, sleep < sleeps[(index - 1) / 2] {
        sleeps[index] = sleeps[(index - 1) / 2]
        index = (index - 1) / 2
      }
      sleeps[index] = sleep
    }

    private func nextSleep() -> Sleep? {
      guard let first = sleeps.first, let last = sleeps.popLast() else { return nil }
      if sleeps.isEmpty { return first }
      var index = 0
      while true {
        var child = 2 * index + 1
        if child + 1 < sleeps.count, sleeps[child + 1] < sleeps[child] { child += 1 }
        guard child < sleeps.count, sleeps[child] < last else { break }
        sleeps[index] = sleeps[child]
        index = child
      }
      sleeps[index] = last
      return first
    }

    /// Runs jobs until nothing waits or sleeps.
    public func run() {
      // Safe: an executor's reference is two words, and both are zero for the runtime's own.
      let runtime = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
      while true {
        var index = 0
        while index < ready.count {
          ready[index].runSynchronously(on: asUnownedTaskExecutor())
          index += 1
        }
        ready.removeAll(keepingCapacity: true)
        guard let sleep = nextSleep() else { return }
        now = sleep.end
        sleep.job.runSynchronously(on: runtime)
      }
    }
  }

  @_spi(ExperimentalScheduling) extension SleepLoop: SchedulingExecutor {
    /// Takes a sleep. The runtime calls this.
    @_spi(ExperimentalScheduling)
    public func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), delay as? Duration ?? .zero)
    }

    /// Takes a sleep. The runtime calls this.
    @_spi(ExperimentalScheduling)
    public func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), clock.now.duration(to: instant) as? Duration ?? .zero)
    }
  }
#endif
