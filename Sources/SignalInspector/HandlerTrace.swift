import Dispatch
import Signals
import Synchronization

/// Profiles the handlers of this process while a client requests it.
final class HandlerTrace: Sendable {
  private static let queue = DispatchQueue(label: "signals.inspector.trace")
  static let shared = HandlerTrace(recorder: { Introspection.recorder }) { time, work in
    queue.asyncAfter(deadline: .now() + time / .seconds(1), execute: work)
  }

  private let recorder: @Sendable () -> GraphRecorder?
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  /// The time until which a client requests it; nil while profiling is off. Profiling begins and ends under its lock,
  /// so that both follow the order of the requests.
  private let end = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameters:
  ///   - recorder: Returns the recorder, if recording is on.
  ///   - schedule: Runs a closure after a time.
  init(
    recorder: @escaping @Sendable () -> GraphRecorder?,
    schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.recorder = recorder
    self.schedule = schedule
  }

  /// Profiles from now on, for at least a given time.
  func extend(by time: Duration) {
    let isFirst = end.withLock { end in
      let isFirst = end == nil
      end = max(end ?? .now, .now + time)
      // Recording may have been turned off and on since the previous client.
      let client = ObjectIdentifier(self)
      if let recorder = recorder(), !recorder.isTracing(for: client) { recorder.traceHandlers(true, for: client) }
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
        recorder()?.traceHandlers(false, for: ObjectIdentifier(self))
        return nil
      }
      if let remaining { waitForEnd(remaining) }
    }
  }
}
