/// The graph's record of a task until it ends: its location, for the sleeps in it, and, during a search for leaks, its
/// own entry.
struct TaskRecording: Sendable {
  private let author: TaskAuthor
  private let token: PendingWorkToken?

  /// Notes a task that an operator starts, while the operator is recorded.
  init?(of node: OperatorNode, on executor: (any TaskExecutor)?) {
    guard let node = node.reference, let site = node.site else { return nil }
    // Without an executor, the task runs in the virtual time in which it is started.
    let scheduler = executor.map { $0 as? VirtualTimeScheduler } ?? RealTimeWatch.scheduler
    let isVirtual = scheduler != nil || RealTimeWatch.isInVirtualTime
    let task = RunningTask(isVirtual: isVirtual, mayGoOn: scheduler.map(Self.mayGoOn))
    self.init(site, PendingWorkToken(starting: task, of: node, at: nil, schedulerRecorder: nil), of: node)
  }

  /// Notes a task that is started under virtual time, while the graph is on.
  ///
  /// - Parameter isWatched: Whether other code reports it, if it does not end.
  init?(at site: Site, on scheduler: VirtualTimeScheduler, isWatched: Bool) {
    guard Recorder.isAnyOn else { return nil }
    if isWatched {
      self.init(site, nil)
      return
    }
    let task = RunningTask(isVirtual: true, mayGoOn: Self.mayGoOn(scheduler))
    let recorder = scheduler.recorder.recorder
    self.init(site, PendingWorkToken(starting: task, of: nil, at: site, schedulerRecorder: recorder))
  }

  private init(_ site: Site, _ token: PendingWorkToken?, of node: NodeReference? = nil) {
    author = TaskAuthor(site: site, entry: token?.identifier, of: node)
    self.token = token
  }

  private static func mayGoOn(_ scheduler: VirtualTimeScheduler) -> @Sendable () -> Bool {
    { [weak scheduler] in
      guard let scheduler, let next = scheduler.nextMoment else { return false }
      return next <= scheduler.now
    }
  }

  /// Starts the task.
  func starting<Started>(_ start: () -> Started) -> Started {
    TaskAuthor.starting(start)
  }

  /// Runs the task's operation, and notes its end.
  ///
  /// - Parameter recorder: The recorder of the chain, for a task that does not inherit task-local values.
  func run<Success>(
    in recorder: GraphRecorder? = nil, _ operation: () async throws -> Success
  ) async rethrows -> Success {
    defer { token?.end() }
    guard let recorder else { return try await author.run(operation) }
    return try await recorder.doingWork { try await author.run(operation) }
  }
}
