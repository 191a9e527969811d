import Dispatch
import Signals
import Synchronization

/// Traces what the handlers of this process do while a client wants it.
final class HandlerTrace: Sendable {
  private static let queue = DispatchQueue(label: "signals.inspector.trace")
  static let shared = HandlerTrace(recorder: { Introspection.recorder }) { time, work in
    queue.asyncAfter(deadline: .now() + time / .seconds(1), execute: work)
  }

  private let recorder: @Sendable () -> GraphRecorder?
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  /// When the last client has what it wanted; nil while nothing is traced. What begins or ends the trace is done under its lock, so that both come in the
  /// order of the questions.
  private let end = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameters:
  ///   - recorder: Gives what traces, while it records.
  ///   - schedule: Does something after a time.
  init(
    recorder: @escaping @Sendable () -> GraphRecorder?,
    schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.recorder = recorder
    self.schedule = schedule
  }

  /// Traces from now on, for at least so long.
  func extend(by time: Duration) {
    let isFirst = end.withLock { end in
      let isFirst = end == nil
      end = max(end ?? .now, .now + time)
      // Recording may have been turned off and on since the client before.
      if let recorder = recorder(), !recorder.isTracing { recorder.traceHandlers(true) }
      return isFirst
    }
    if isFirst { waitForEnd(time) }
  }

  private func waitForEnd(_ time: Duration) {
    schedule(time) { [self] in
      let remaining: Duration? = end.withLock { end in
        let now = ContinuousClock.now
        if let last = end, last > now { return last - now }
        end = nil
        recorder()?.traceHandlers(false)
        return nil
      }
      if let remaining { waitForEnd(remaining) }
    }
  }
}
