import Foundation
import Signals

/// The virtual time of a run, and what the run is just doing, so that it is known of each event how it came.
final class ContractClock: Sendable {
  /// What a run does.
  enum Act: Sendable {
    case subscribing, sending, advancing
  }

  let scheduler = VirtualTimeScheduler(workLimit: 1_000_000)
  private let current = Guarded<(act: Act, thread: ObjectIdentifier)?>(nil)

  /// Does something on this thread.
  func perform<Result>(_ act: Act, _ body: () throws -> Result) rethrows -> Result {
    let before = current.value
    current.value = (act, ObjectIdentifier(Thread.current))
    defer { current.value = before }
    return try body()
  }

  /// What this thread is doing; nil on any other thread than the run's.
  var act: Act? { current.withLock { $0.flatMap { $0.thread == ObjectIdentifier(Thread.current) ? $0.act : nil } } }

  var nanoseconds: Int64 { scheduler.nanoseconds }
}
