import Dispatch
import Foundation
import SignalAttach
import SignalGraph
import Synchronization

/// The queries that a recorder makes to a program, and the clock it uses.
protocol RecordedProgram {
  /// The current time of a monotonic clock.
  var now: Duration { get }
  /// The current time of the clock of snapshots and events.
  var secondsSince1970: Double { get }
  /// Pauses for a time.
  ///
  /// - Returns: Whether the recording was interrupted.
  func pause(for time: Duration) -> Bool
  /// Has the program record for a number of seconds from now, and returns what has happened since the event with a
  /// number.
  func events(from number: UInt64?, recordingFor seconds: Int, within limit: Duration) throws -> RecordedEvents
  /// Starts a query for the graph; one at a time.
  func beginLook()
  /// Returns the snapshot of the query that was started.
  ///
  /// - Parameter limit: The time to wait for it; nil for no limit.
  /// - Returns: The snapshot; nil if it has not arrived by then.
  func look(within limit: Duration?) throws -> GraphSnapshot?
  /// Disables interruptions: the remaining queries are short.
  func finish()
  /// Whether the program has ended, or is about to. Checked once a query has failed.
  var isGone: Bool { get }
}

/// A program that is queried over its socket.
///
/// Its graph is queried concurrently with its events: that of a large program takes longer than its event buffer lasts.
final class AskedProgram: RecordedProgram {
  private let connection: ProgramConnection
  private let interruption = Interruption()
  private let start = ContinuousClock.now
  private var isFinishing = false
  private var looking: Looking?

  init(_ connection: ProgramConnection) { self.connection = connection }

  /// A query for the graph, and its result.
  private final class Looking: Sendable {
    let result = Mutex<Result<GraphSnapshot, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// The time for which the program may be silent when it is queried for its graph.
  private static let patience = Duration.seconds(10)

  var now: Duration { ContinuousClock.now - start }

  var secondsSince1970: Double { Date().timeIntervalSince1970 }

  func pause(for time: Duration) -> Bool { interruption.comes(within: time) }

  private var asked: ProgramConnection {
    var connection = connection
    if !isFinishing { connection.interruption = interruption.descriptor }
    return connection
  }

  func events(from number: UInt64?, recordingFor seconds: Int, within limit: Duration) throws -> RecordedEvents {
    try asked.events(from: number, recordingFor: seconds, within: limit)
  }

  func beginLook() {
    var connection = connection
    // Later queries have a short time limit.
    if looking == nil { connection.interruption = interruption.descriptor }
    let (asked, looking) = (connection, Looking())
    self.looking = looking
    DispatchQueue.global().async {
      let result = Result { try asked.snapshot(of: GraphFocus(), within: Self.patience) }
      looking.result.withLock { $0 = result }
      looking.isDone.signal()
    }
  }

  func look(within limit: Duration?) throws -> GraphSnapshot? {
    guard let looking else { return nil }
    let deadline = limit.map { .now() + max(.zero, $0) / .seconds(1) } ?? DispatchTime.distantFuture
    guard looking.isDone.wait(timeout: deadline) == .success else { return nil }
    return try looking.result.withLock { $0 }?.get()
  }

  func finish() { isFinishing = true }

  var isGone: Bool { connection.ends(within: .milliseconds(500)) }
}
