import Foundation
import Signals

/// The virtual time of a run and the run's current action, to determine the cause of each event.
final class ContractClock: Sendable {
  /// An action of a run.
  enum Act: Sendable {
    case subscribing, sending, advancing
  }

  let scheduler = VirtualTimeScheduler(workLimit: 1_000_000)
  private let current = Guarded<(act: Act, thread: ObjectIdentifier)?>(nil)

  /// Performs an action on this thread.
  func perform<Result>(_ act: Act, _ body: () throws -> Result) rethrows -> Result {
    let before = current.value
    current.value = (act, ObjectIdentifier(Thread.current))
    defer { current.value = before }
    return try body()
  }

  /// The current action of this thread; nil on any other thread than the run's.
  var act: Act? { current.withLock { $0.flatMap { $0.thread == ObjectIdentifier(Thread.current) ? $0.act : nil } } }

  var nanoseconds: Int64 { scheduler.nanoseconds }
}
