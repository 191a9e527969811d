import Synchronization

/// A task's continuation that is resumed once, at the deadline or on cancellation.
final class Sleeper: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var result: Result<Void, any Error>?
    var work: (any Disposable)?
  }

  private let state = Mutex(State())

  /// Stores the continuation; if the sleep is over already, resumes it and returns false.
  func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    guard let result else { return true }
    continuation.resume(with: result)
    return false
  }

  func keep(_ work: any Disposable) {
    let isOver = state.withLock { state in
      state.work = work
      return state.result != nil
    }
    if isOver { work.dispose() }
  }

  func finish(_ result: Result<Void, any Error>) {
    let (continuation, work) = state.withLock { state in
      guard state.result == nil else { return (CheckedContinuation<Void, any Error>?.none, (any Disposable)?.none) }
      state.result = result
      defer {
        state.continuation = nil
        state.work = nil
      }
      return (state.continuation, state.work)
    }
    work?.dispose()
    continuation?.resume(with: result)
  }
}
