// With these compilers, the runtime calls a task's executor for a sleep; so a sleep in real time can be reported. The
// protocol is not final: other compilers do without.
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
  import Dispatch
  public import Signals
  @_spi(ExperimentalScheduling) public import _Concurrency

  @_spi(ExperimentalScheduling) extension VirtualTimeScheduler: SchedulingExecutor {
    /// Lets a task sleep in real time, and notifies the test. The runtime calls this.
    @_spi(ExperimentalScheduling)
    public func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), for: delay as? Duration)
    }

    /// Lets a task sleep in real time, and notifies the test. The runtime calls this.
    @_spi(ExperimentalScheduling)
    public func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      sleep(UnownedJob(job), for: clock.now.duration(to: instant) as? Duration)
    }

    private func sleep(_ job: UnownedJob, for delay: Duration?) {
      let nanoseconds = delay.map { Int64(clamping: $0.attoseconds / 1_000_000_000) }
      if let nanoseconds, VirtualSystem.sleep(job, for: nanoseconds) { return }
      VirtualWorld.ofCurrentTask?.noteRealSleep(for: nanoseconds)
      let (seconds, attoseconds) = (delay ?? .zero).components
      let wait = Double(seconds) + Double(attoseconds) / 1e18
      VirtualWorld.outside {
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, wait)) { globalConcurrentExecutor.enqueue(job) }
      }
    }
  }
#endif
