import Synchronization

/// Work that waits for its time: it runs once, or is cancelled.
final class ScheduledWork: Disposable {
  private struct State {
    var work: (@Sendable () -> Void)?
    var isOver = false
  }

  private let state: Mutex<State>
  private let pending: (recorder: GraphRecorder, identifier: UInt64)?
  private let onCancel: (@Sendable () -> Void)?

  init(onCancel: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) {
    state = Mutex(State(work: work))
    self.onCancel = onCancel
    pending = Introspection.isOn ? GraphRecorder.registerPendingWork() : nil
  }

  /// Runs the work, unless it ran or was cancelled.
  func run() {
    take()?()
  }

  func dispose() {
    if take() != nil { onCancel?() }
  }

  var isDisposed: Bool { state.withLock { $0.isOver } }

  private func take() -> (@Sendable () -> Void)? {
    let work = state.withLock { state in
      state.isOver = true
      defer { state.work = nil }
      return state.work
    }
    if work != nil, let pending { pending.recorder.removePending(pending.identifier) }
    return work
  }
}
