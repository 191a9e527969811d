import Signals
import Synchronization

/// A wait that ends once: with the event, with the timeout, or because its task was cancelled.
final class ProbeWait: Sendable {
  enum End: Sendable {
    case event
    case timeout
    case cancelled
  }

  private struct State {
    var continuation: CheckedContinuation<End, Never>?
    var end: End?
  }

  private let state = Mutex(State())

  func finish(_ end: End) {
    let continuation = state.withLock { state in
      if state.end == nil { state.end = end }
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: end)
  }

  var value: End {
    get async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          wait(with: continuation)
        }
      } onCancel: {
        finish(.cancelled)
      }
    }
  }

  /// Never inlined into an asynchronous function: `TaskCheck` gives the reason.
  @inline(never)
  private func wait(with continuation: CheckedContinuation<End, Never>) {
    let end = state.withLock { state in
      if state.end == nil { state.continuation = continuation }
      return state.end
    }
    if let end { continuation.resume(returning: end) }
  }
}
