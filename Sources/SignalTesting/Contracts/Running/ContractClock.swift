import Foundation
import Signals

/// The virtual time of a run and the run's current action, to determine the cause of each event.
final class ContractClock: Sendable {
  /// An action of a run.
  enum Act: Sendable {
    case subscribing, sending, advancing
  }

  let scheduler: VirtualTimeScheduler
  /// The virtual time of the tasks that the operator starts, if they are watched. Otherwise they run in real time.
  private let world: VirtualWorld?
  private let current = Guarded<(act: Act, thread: ObjectIdentifier)?>(nil)

  /// - Parameters:
  ///   - watchesTasks: Whether the tasks that the operator starts run in this virtual time, and work that it submits to queues is noted.
  ///   - chooser: Picks among work that is ready at the same instant, of unwatched tasks.
  init(watchesTasks: Bool = false, chooser: VirtualTimeScheduler.Chooser? = nil) {
    let workLimit = 1_000_000
    if watchesTasks {
      let here = MarbleSource(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
      (scheduler, world) = VirtualWorld.scheduler(
        workLimit: workLimit, chooser: nil, systemTime: .real, failures: FailureLog(), source: here)
      world?.notesEachDispatch()
    } else {
      (scheduler, world) = (VirtualTimeScheduler(workLimit: workLimit, chooser: chooser), nil)
    }
  }

  /// The number of watched tasks that have not finished; 0 if it is unknown, as one waits for something in real time.
  var runningTaskCount: Int { world?.runningTaskCount ?? 0 }

  /// Cancels the watched tasks.
  ///
  /// - Returns: What has left virtual time.
  @discardableResult
  func close() -> [Departure] { world?.close(.abandoned) ?? [] }

  /// Performs an action on this thread.
  func perform<Result>(_ act: Act, _ body: () throws -> Result) rethrows -> Result {
    let before = current.value
    current.value = (act, ObjectIdentifier(Thread.current))
    defer { current.value = before }
    guard let world else { return try body() }
    return try world.inside { () throws in try body() }
  }

  /// The current action of this thread; nil on any other thread than the run's.
  var act: Act? { current.withLock { $0.flatMap { $0.thread == ObjectIdentifier(Thread.current) ? $0.act : nil } } }

  var nanoseconds: Int64 { scheduler.nanoseconds }
}
