import Signals
import Synchronization

/// The task of the test that reads an asynchronous sequence for one subscriber.
final class SequenceReading: Sendable {
  private struct State {
    var isDisposed = false
    var hasEnded = false
  }

  let site: Site
  private let state = Mutex(State())

  init(_ site: Site) {
    self.site = site
    MarbleWatching.current?.started(self)
  }

  /// Notes the end of the subscription, after which the task is cancelled.
  func noteDisposal() { state.withLock { $0.isDisposed = true } }

  /// Notes the end of the task. Never inlined into the asynchronous function, as `TaskCheck.note(_:)`.
  @inline(never)
  func noteEnd() { state.withLock { $0.hasEnded = true } }

  /// The leak, if the subscription has ended and the task has not.
  var leak: Leak? {
    guard state.withLock({ $0.isDisposed && !$0.hasEnded }) else { return nil }
    return Leak(
      kind: .taskStillRunning, site: site, chain: "reader of the sequence at \(Chains.place(site))",
      details: ["it was cancelled when its subscription ended, and has not finished since"],
      advice:
        "To do: make next() of the sequence respond to cancellation: Task.checkCancellation(), or withTaskCancellationHandler where it waits for a continuation."
    )
  }
}
