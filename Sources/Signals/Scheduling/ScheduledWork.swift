import Synchronization

/// Work that waits for its time: it runs once, or is cancelled.
final class ScheduledWork: Disposable {
  private struct State {
    var work: (@Sendable () -> Void)?
    var isOver = false
  }

  private let state: Mutex<State>
  private let pending: PendingWorkToken?
  private let onCancel: (@Sendable () -> Void)?

  init(
    stage: PendingWork.Stage = .waiting, recorder: GraphRecorder? = nil, onCancel: (@Sendable () -> Void)? = nil,
    _ work: @escaping @Sendable () -> Void
  ) {
    state = Mutex(State(work: work))
    self.onCancel = onCancel
    pending = PendingWorkToken(stage, schedulerRecorder: recorder)
  }

  /// Runs the work, unless it ran or was cancelled.
  func run() {
    guard let pending else {
      take()?()
      return
    }
    runAndRelease(pending)
    // Cancelled work has been noted already; noting it again does nothing.
    pending.end()
  }

  /// In a function of its own, so that the closure is gone before the work counts as done.
  private func runAndRelease(_ pending: PendingWorkToken) {
    guard let work = take() else { return }
    pending.begin()
    work()
  }

  func dispose() {
    guard take() != nil else { return }
    onCancel?()
    pending?.end()
  }

  var isDisposed: Bool { state.withLock { $0.isOver } }

  private func take() -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.isOver = true
      defer { state.work = nil }
      return state.work
    }
  }
}
