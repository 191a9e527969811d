import SignalAttach
import SignalGraph

@testable import signal_viz

/// A program that is recorded in virtual time: so many events happen in it a second, and each question takes as long as the test says.
final class VirtualProgram: RecordedProgram {
  /// How many events it has room for.
  static let capacity: UInt64 = 65_536
  static let process = ProcessIdentity(name: "A", pid: 7, startedAt: 1)

  /// How many events happen in a second.
  var rate = 1_000.0
  /// How long an answer with events takes for each of them, and a look at the graph.
  var (costOfEvent, costOfLook) = (Duration.zero, Duration.zero)
  /// When somebody wants the recording to end, and when the program ends.
  var (interruption, death): (Duration?, Duration?)
  /// When the program stops to answer.
  var hang: Duration?
  /// The numbers of the next event that the first responses contain, whatever has happened.
  var claims: [UInt64] = []

  private(set) var now = Duration.seconds(3)
  private(set) var looks = 0
  /// For how long it was to record, counted from the beginning, as it was last told.
  private(set) var recordsUntil = Duration.zero
  private var lookBegan: Duration?
  private var isFinishing = false

  /// How many events have happened.
  var happened: UInt64 { UInt64((now / .seconds(1)) * rate) }

  private func pass(_ time: Duration) { now += max(.zero, time) }

  var secondsSince1970: Double { 1_000 + now / .seconds(1) }

  private var isInterrupted: Bool { !isFinishing && interruption.map { now >= $0 } ?? false }

  func pause(for time: Duration) -> Bool {
    pass(min(max(.milliseconds(1), time), interruption.map { max(.zero, $0 - now) } ?? time))
    return isInterrupted
  }

  func events(from number: UInt64?, recordingFor seconds: Int, within limit: Duration) throws -> RecordedEvents {
    if isGone { throw Failure("it is gone") }
    if let hang, now >= hang {
      pass(limit)
      throw Failure("it did not respond within \(limit); it may be stopped or hung.")
    }
    recordsUntil = max(recordsUntil, now + .seconds(seconds))
    if !claims.isEmpty { return RecordedEvents(startedAt: 1_000, next: claims.removeFirst()) }
    let next = happened
    guard let number, number < next else { return RecordedEvents(startedAt: 1_000, next: next) }
    let start = max(number, next - min(next, Self.capacity))
    let end = min(next, start + UInt64(AttachRequest.largestEventCount))
    let events = (start..<end).map { event in
      GraphEvent(.sent, node: 1, cause: event, time: UInt64(Double(event) / rate * 1e9), thread: "main")
    }
    pass(min(costOfEvent * events.count, limit))
    if isInterrupted { throw ProgramConnection.Interrupted() }
    return RecordedEvents(startedAt: 1_000, next: end, lost: start - number, events: events)
  }

  func beginLook() {
    looks += 1
    lookBegan = now
  }

  func look(within limit: Duration?) throws -> GraphSnapshot? {
    guard let began = lookBegan else { return nil }
    let left = began + costOfLook - now
    pass(min(limit ?? left, left))
    guard now >= began + costOfLook else { return nil }
    return GraphSnapshot(
      process: Self.process, takenAt: 1_000 + began / .seconds(1),
      definitions: [Definition(id: 1, kind: "subscribe", fileID: "App/App.swift", line: 5, function: "f()")],
      nodes: [Node(id: 1, definition: 1, valueCount: UInt64(began / .seconds(1) * rate))], edges: [])
  }

  func finish() { isFinishing = true }

  var isGone: Bool { death.map { now >= $0 } ?? false }
}
