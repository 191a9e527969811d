import Foundation
import SignalAttach
import Synchronization

/// What all clients together take of the processors' time: so a program hardly gets slower while it is looked at, however large its graph is and
/// however often it is asked.
///
/// What an answer took is paid for with time that passes: at a share of 1 %, an answer that took 20 milliseconds is paid for after two seconds. Until what
/// was answered before is paid for, whoever asks waits. So every answer is as new as it can be, and nothing is kept for it.
final class ProcessorBudget: Sendable {
  private let share: Double
  private let allowance: Duration
  private let longestWait: Duration
  let clock: InspectorClock
  /// When all that was answered will have been paid for.
  private let paidAt: Mutex<ContinuousClock.Instant?> = Mutex(nil)

  init(_ limits: InspectorLimits, _ clock: InspectorClock) {
    share = limits.share
    allowance = limits.allowance
    longestWait = limits.longestWait
    self.clock = clock
  }

  /// Waits until there is something to spend, but not longer than a client may have to wait.
  ///
  /// - Parameters:
  ///   - patience: How long the client itself would wait, if it says so.
  ///   - pause: Waits until a moment; it throws when the client has left.
  func wait(patience: Duration? = nil, _ pause: (ContinuousClock.Instant) throws -> Void) rethrows {
    let latest = clock.now() + min(patience ?? longestWait, longestWait)
    // Others may spend something meanwhile.
    while true {
      let next = min(opening, latest)
      guard clock.now() < next else { return }
      try pause(next)
    }
  }

  /// When there is something to spend.
  private var opening: ContinuousClock.Instant {
    // A little may be owed: small answers need not wait for one another.
    paidAt.withLock { $0 }.map { $0 - allowance / share } ?? clock.now()
  }

  /// Does what has to be paid for.
  func spend<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = clock.used()
    defer {
      owe(clock.used() - start)
    }
    return try body()
  }

  private func owe(_ cost: Duration) {
    let now = clock.now()
    // More is not owed: whoever asks next has not spent it.
    let latest = now.advanced(by: longestWait * 12)
    paidAt.withLock { paidAt in
      let start: ContinuousClock.Instant = max(paidAt ?? now, now)
      paidAt = min(start.advanced(by: cost / share), latest)
    }
  }
}

/// The time, and what was used of it. Tests have one of their own.
struct InspectorClock: Sendable {
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// What the processors have done until now for the thread that asks.
  var used: @Sendable () -> Duration = {
    var used = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
    return .seconds(Int(used.tv_sec)) + .nanoseconds(Int(used.tv_nsec))
  }
  /// Waits until a moment; throws when the client has left.
  var pause: @Sendable (ClientConnection, ContinuousClock.Instant) throws -> Void = { try $0.pause(until: $1) }
}
