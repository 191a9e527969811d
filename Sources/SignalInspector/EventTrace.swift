import Dispatch
import Foundation
import SignalAttach
import SignalGraph
import Signals
import Synchronization

/// Records what happens in this process while a client wants it.
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
  /// What records, and until when somebody wants that.
  private let recording = Mutex<Recording?>(nil)

  /// - Parameters:
  ///   - recorder: Gives what records events, while it records at all.
  ///   - handlers: What lets the recorder trace: only what is traced is recorded.
  ///   - schedule: Does something after a time.
  init(
    recorder: @escaping @Sendable () -> GraphRecorder?, handlers: HandlerTrace,
    schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.recorder = recorder
    self.handlers = handlers
    self.schedule = schedule
  }

  /// Records from now on, for at least so long, and tells what has happened from an event on.
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

/// Writes events as JSON piece by piece, so that what waits for a slow client stays small.
struct EventPieces {
  let answer: RecordedEvents

  /// Calls `write` with each piece in turn.
  func forEach(_ write: (Data) throws -> Void) throws {
    var rest = answer
    rest.events = []
    var text = String(decoding: try SnapshotPieces.encoder.encode(rest), as: UTF8.self)[...]
    try SnapshotPieces.fill("events", of: &text, with: answer.events, write) { $0.add($1) }
    try write(Data(text.utf8))
  }
}
