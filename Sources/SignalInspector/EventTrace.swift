import Dispatch
import Foundation
import SignalAttach
import SignalGraph
import Signals
import Synchronization

/// Records the events of this process while a client requests it.
final class EventTrace: Sendable {
  private static let queue = DispatchQueue(label: "signals.inspector.events")
  static let shared = EventTrace(recorder: { Introspection.recorder }, handlers: .shared) { time, work in
    queue.asyncAfter(deadline: .now() + time / .seconds(1), execute: work)
  }

  private struct Recording {
    var log: EventLog
    var end: ContinuousClock.Instant
  }

  private let recorder: @Sendable () -> GraphRecorder?
  private let handlers: HandlerTrace
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  /// The recorder, and the time until which a client requests events.
  private let recording = Mutex<Recording?>(nil)

  /// - Parameters:
  ///   - recorder: Returns the event log, if recording is on.
  ///   - handlers: Profiles handlers for a time: only profiled nodes are recorded.
  ///   - schedule: Runs a closure after a time.
  init(
    recorder: @escaping @Sendable () -> GraphRecorder?, handlers: HandlerTrace,
    schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.recorder = recorder
    self.handlers = handlers
    self.schedule = schedule
  }

  /// Records from now on, for at least a given time, and returns the events from a number on.
  func events(from number: UInt64?, recordingFor time: Duration) -> RecordedEvents {
    handlers.extend(by: time)
    guard let log = recorder()?.events else { return RecordedEvents(startedAt: EventLog.startedAt, next: number ?? 0) }
    let isFirst = recording.withLock { recording in
      let isFirst = recording == nil
      recording = Recording(log: log, end: max(recording?.end ?? .now, .now + time))
      log.begin()
      return isFirst
    }
    if isFirst { waitForEnd(time) }
    let reading = log.read(from: number, limit: AttachRequest.largestEventCount)
    return RecordedEvents(
      startedAt: EventLog.startedAt, next: reading.next, lost: reading.lost, events: reading.events)
  }

  private func waitForEnd(_ time: Duration) {
    schedule(time) { [self] in
      let remaining: Duration? = recording.withLock { current in
        let now = ContinuousClock.now
        if let end = current?.end, end > now { return end - now }
        current?.log.end()
        current = nil
        return nil
      }
      if let remaining { waitForEnd(remaining) }
    }
  }
}

extension RecordedEvents {
  /// Writes the events as JSON, piece by piece.
  func write(to write: ([UInt8]) throws -> Void) throws {
    try JSONStream.write(
      events, as: "events",
      with: {
        $0.addTime("startedAt", startedAt)
        $0.add("next", next)
        $0.add("lost", lost)
      }, to: write)
  }
}
