import Dispatch
import Signals
import Synchronization

/// Traces what the handlers of this process do while a client wants it.
final class HandlerTrace: Sendable {
  static let shared = HandlerTrace()

  /// When the last client has what it wanted; nil while nothing is traced.
  private let end = Mutex<ContinuousClock.Instant?>(nil)
  /// Held while it is turned on or off, so that who is last knows the last word.
  private let turning = Mutex(())
  private let queue = DispatchQueue(label: "signals.inspector.trace")

  /// Traces from now on, for at least so long.
  func extend(by time: Duration) {
    let isFirst = end.withLock { end in
      defer { end = max(end ?? .now, .now + time) }
      return end == nil
    }
    guard isFirst else { return }
    turn()
    waitForEnd(time)
  }

  private func waitForEnd(_ time: Duration) {
    queue.asyncAfter(deadline: .now() + time / .seconds(1)) { [self] in
      let remaining: Duration? = end.withLock { end in
        guard let last = end, last > .now else {
          end = nil
          return nil
        }
        return last - .now
      }
      if let remaining { return waitForEnd(remaining) }
      turn()
    }
  }

  /// Turns it on or off, as it is wanted now.
  private func turn() {
    turning.withLock { _ in
      Introspection.recorder?.traceHandlers(end.withLock { $0 != nil })
    }
  }
}
