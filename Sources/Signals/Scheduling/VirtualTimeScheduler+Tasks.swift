extension VirtualTimeScheduler {
  /// Enqueues a job of a task that prefers this executor; it runs when time is advanced. The runtime calls this.
  ///
  /// - Parameter job: The job.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let watch else { return add(job, running: nil) { false } }
    guard watch.admits(job) else { return globalConcurrentExecutor.enqueue(job) }
    add(job, running: nil) { !watch.isOpen }
  }

  /// Enqueues a job; it runs when time is advanced.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - run: Runs the job, on the thread that advances time; if `nil`, the job runs on this executor.
  ///   - isOver: Whether time will not be advanced any more. Then the job runs elsewhere.
  package func add(
    _ job: UnownedJob, running run: (@Sendable (UnownedJob) -> Void)?, unless isOver: () -> Bool
  ) {
    let work = TaskWork(job, on: self, running: run)
    insert(work) { $0.nextKey($0.now, .work) }
    // Checked afterwards: a thread that ends the time concurrently either finds the job in the queue, or is noticed
    // here.
    if isOver(), work.leave() { globalConcurrentExecutor.enqueue(job) }
  }

  /// Starts a task under this virtual time. It runs when time is advanced.
  ///
  /// ```swift
  /// let scheduler = VirtualTimeScheduler()
  /// let answer = scheduler.task {
  ///   try await scheduler.sleep(for: .seconds(60))
  ///   return 42
  /// }
  /// try scheduler.run()
  /// print(try await answer.value)
  /// ```
  ///
  /// - Parameter operation: The task's operation. Detached tasks that it starts, the main actor and actors with custom
  ///   executors run outside virtual time.
  /// - Returns: The task, for its result or its cancellation.
  @discardableResult
  public func task<Success: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    task(at: Site("task", fileID: fileID, line: line, function: function), operation)
  }

  /// Starts a task under this virtual time, with a source location.
  ///
  /// - Parameter isWatched: Whether other code reports it, if it does not end.
  @discardableResult
  package func task<Success: Sendable>(
    at site: Site, isWatched: Bool = false, _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    guard let recording = TaskRecording(at: site, on: self, isWatched: isWatched) else {
      return Task(executorPreference: self) { try await operation() }
    }
    return recording.starting { Task(executorPreference: self) { try await recording.run(operation) } }
  }
}
