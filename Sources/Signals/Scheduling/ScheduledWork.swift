import Synchronization

/// Work that waits for its time: it runs once, or is cancelled. It takes one atomic exchange to decide which.
final class ScheduledWork: QueuedWork, Disposable, @unchecked Sendable {
  // Safe: `isOver` is atomic; `work` is written after the initialiser only by whoever turned `isOver` to true.
  private let isOver = Atomic<Bool>(false)
  @exclusivity(unchecked) private var work: (@Sendable () -> Void)?

  init(
    stage: PendingWork.Stage = .waiting, recorder: GraphRecorder? = nil, _ work: @escaping @Sendable () -> Void
  ) {
    self.work = Introspection.isOn ? NotedWork.noting(work, stage, recorder) : work
  }

  /// Runs the work, unless it ran or was cancelled.
  func run() {
    if finish() { runClaimed() }
  }

  func dispose() {
    if finish() { work = nil }
  }

  var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Ends the wait.
  ///
  /// - Returns: Whether this call did it; only then the caller may take the work.
  private func finish() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }

  // MARK: In a queue of virtual time

  override func moment(queuedFor key: Key) -> Key? { isDisposed ? nil : key }

  override func claim(queuedFor key: Key) -> Claim { finish() ? .due : .over }

  override func runClaimed() {
    guard let work else { return }
    self.work = nil
    work()
  }
}

/// Work that shows as pending in the graph until its closure is gone.
private final class NotedWork: @unchecked Sendable {
  // Safe: `work` is written only when nobody else has the object.
  private var work: (@Sendable () -> Void)?
  private let token: PendingWorkToken

  private init(_ work: @escaping @Sendable () -> Void, _ token: PendingWorkToken) {
    self.work = work
    self.token = token
  }

  /// The same work; releasing the closure that is returned is what ends its being pending.
  static func noting(
    _ work: @escaping @Sendable () -> Void, _ stage: PendingWork.Stage, _ recorder: GraphRecorder?
  ) -> @Sendable () -> Void {
    guard let token = PendingWorkToken(stage, schedulerRecorder: recorder) else { return work }
    let noted = NotedWork(work, token)
    return { noted.run() }
  }

  private func run() {
    token.begin()
    work?()
  }

  deinit {
    // In this order: the work counts as over once nothing holds what it captures.
    work = nil
    token.end()
  }
}
