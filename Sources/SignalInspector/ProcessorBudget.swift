import Foundation
import SignalAttach
import Synchronization

/// Limits the CPU time of all clients together: so inspection hardly slows a program down, however large its graph is
/// and however frequent the requests are.
///
/// The cost of a response is regained over time: at a share of 1 %, a response that took 20 milliseconds is paid for
/// after two seconds. Until earlier responses are paid for, requests are delayed. So every response is as current as
/// possible, and nothing is cached for it.
final class ProcessorBudget: Sendable {
  private let share: Double
  private let allowance: Duration
  private let longestWait: Duration
  let clock: InspectorClock
  /// The time at which all responses will have been paid for.
  private let paidAt: Mutex<ContinuousClock.Instant?> = Mutex(nil)

  init(_ limits: InspectorLimits, _ clock: InspectorClock) {
    share = limits.share
    allowance = limits.allowance
    longestWait = limits.longestWait
    self.clock = clock
  }

  /// Waits until the budget allows a response, but not longer than the maximum delay.
  ///
  /// - Parameters:
  ///   - patience: The client's own timeout, if it has one.
  ///   - pause: Waits until an instant; it throws if the client has disconnected.
  func wait(patience: Duration? = nil, _ pause: (ContinuousClock.Instant) throws -> Void) rethrows {
    let latest = clock.now() + min(patience ?? longestWait, longestWait)
    // Other threads may use the budget in the meantime.
    while true {
      let next = min(opening, latest)
      guard clock.now() < next else { return }
      try pause(next)
    }
  }

  /// The time at which the budget allows a response.
  private var opening: ContinuousClock.Instant {
    // A small advance is allowed: small responses need not wait for each other.
    paidAt.withLock { $0 }.map { $0 - allowance / share } ?? clock.now()
  }

  /// Runs work whose CPU time is charged.
  func spend<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = clock.used()
    defer {
      owe(clock.used() - start)
    }
    return try body()
  }

  private func owe(_ cost: Duration) {
    let now = clock.now()
    // The debt is limited: the next client has not caused it.
    let latest = now.advanced(by: longestWait * 12)
    paidAt.withLock { paidAt in
      let start: ContinuousClock.Instant = max(paidAt ?? now, now)
      paidAt = min(start.advanced(by: cost / share), latest)
    }
  }
}

/// The clock, and the used CPU time. Tests replace it.
struct InspectorClock: Sendable {
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The CPU time of the calling thread so far.
  var used: @Sendable () -> Duration = {
    var used = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
    return .seconds(Int(used.tv_sec)) + .nanoseconds(Int(used.tv_nsec))
  }
  /// Waits until an instant; throws if the client has disconnected.
  var pause: @Sendable (ClientConnection, ContinuousClock.Instant) throws -> Void = { try $0.pause(until: $1) }
}
