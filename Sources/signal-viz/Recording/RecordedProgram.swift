import Dispatch
import Foundation
import SignalAttach
import SignalGraph
import Synchronization

/// What a recorder asks of a program, and the clock that it goes by.
protocol RecordedProgram {
  /// Now, by a clock that never goes back.
  var now: Duration { get }
  /// Now, by the clock of the program's looks and events.
  var secondsSince1970: Double { get }
  /// Lets time pass.
  ///
  /// - Returns: Whether somebody wants the recording to end.
  func pause(for time: Duration) -> Bool
  /// Lets the program record for so many seconds from now, and asks for what has happened from an event on.
  func events(from number: UInt64?, recordingFor seconds: Int, within limit: Duration) throws -> RecordedEvents
  /// Begins to look at the graph; one look at a time.
  func beginLook()
  /// The look that was begun.
  ///
  /// - Parameter limit: How long to wait for it; nil for as long as it takes.
  /// - Returns: Nil where it is not done by then.
  func look(within limit: Duration?) throws -> GraphSnapshot?
  /// Does not want to be ended any more: what comes now is short.
  func finish()
  /// Whether it has ended, or is about to. Asked once an answer has failed.
  var isGone: Bool { get }
}

/// A program that is asked over its socket.
///
/// Its graph is asked for beside its events: that of a large program takes longer than the program has room for events.
final class AskedProgram: RecordedProgram {
  private let connection: ProgramConnection
  private let interruption = Interruption()
  private let start = ContinuousClock.now
  private var isFinishing = false
  private var looking: Looking?

  init(_ connection: ProgramConnection) { self.connection = connection }

  /// One look, and what came of it.
  private final class Looking: Sendable {
    let result = Mutex<Result<GraphSnapshot, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  /// How long the program may be silent when it is asked for its graph.
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
    // Later ones are not waited for for long.
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
