import Signals

/// Waits until an expression has a value.
///
/// ```swift
/// @Test(.virtualTime) func countsTheVisitors() async throws {
///   actor Counter {
///     private(set) var count = 0
///     func add() { count += 1 }
///   }
///   let counter = Counter()
///   for number in 1...3 {
///     Task {
///       try await Task.sleep(for: .seconds(number))
///       await counter.add()
///     }
///   }
///   try await eventually(equals: 3) { await counter.count }
/// }
/// ```
///
/// In virtual time the expression is evaluated at each step: after the work of each instant. Elsewhere it is evaluated every 10
/// ms of real time, for the last time just after the limit. If it does not get the value, the test fails at this line with the
/// last one.
///
/// - Parameters:
///   - expected: The value to wait for.
///   - limit: The longest wait, in virtual time where the test is in virtual time.
///   - isolation: The actor on which the expression is evaluated: that of the caller.
///   - value: The expression.
/// - Throws: Rethrows the errors of the expression and of sleeping. If the wait fails, an error that ends the test without a
///   second failure in Swift Testing.
public func eventually<Value: Equatable>(
  equals expected: Value, within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ value: () async throws -> Value
) async throws {
  var last: Value?
  let failure = try await wait(within: limit) {
    let current = try await value()
    last = current
    return current == expected
  }
  guard let failure else { return }
  let got = last.map { "\($0)" } ?? "nothing"
  report(
    failure.isLate
      ? "eventually got \(expected), but not \(failure.reason)"
      : "eventually got \(got) instead of \(expected) \(failure.reason)",
    at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  throw reportedFailure(WaitFailed())
}

/// Waits until a condition is met; see ``eventually(equals:within:isolation:fileID:filePath:line:column:_:)``, whose failure also tells
/// the last value.
///
/// - Parameters:
///   - limit: The longest wait, in virtual time where the test is in virtual time.
///   - isolation: The actor on which the condition is evaluated: that of the caller.
///   - condition: The condition.
/// - Throws: Rethrows the errors of the condition and of sleeping. If the wait fails, an error that ends the test without a
///   second failure in Swift Testing.
public func eventually(
  within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ condition: () async throws -> Bool
) async throws {
  guard let failure = try await wait(within: limit, condition) else { return }
  report(
    "The condition of eventually was not met \(failure.reason)",
    at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  throw reportedFailure(WaitFailed())
}

/// The error of a wait that has failed; another failure of the test gives the reason.
struct WaitFailed: Error, CustomStringConvertible {
  var description: String { "The wait of eventually has failed; see the other failure." }
}

/// A wait that has failed.
private struct FailedWait {
  /// Why it ended.
  let reason: String
  /// Whether the condition was met, but after the limit.
  var isLate = false
}

/// Waits until a condition is met.
///
/// - Returns: nil if the condition is met within the limit.
private func wait(
  within limit: Duration, isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> FailedWait? {
  guard let scheduler = VirtualWorld.ofCurrentTask?.scheduler else {
    let end = ContinuousClock.now.advanced(by: limit)
    while true {
      if try await condition() { return nil }
      guard ContinuousClock.now < end else { return FailedWait(reason: "within \(ProbeText.spoken(limit)).") }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
  let end = scheduler.now.advanced(by: limit)
  let words = "within \(ProbeText.spoken(limit)) of virtual time"
  var late: FailedWait? {
    if scheduler.now <= end { return nil }
    let moment = ProbeText.spoken(scheduler.now.sinceOrigin)
    return FailedWait(reason: "\(words): its evaluation took until \(moment).", isLate: true)
  }
  while true {
    if try await condition() { return late }
    // Work may have run while the condition waited for an actor.
    if try await condition() { return late }
    // Threads that sleep wait for a time of which the scheduler does not know.
    let system = VirtualWorld.system
    let wake = system?.waitLimit
    if let system, let wake, wake <= scheduler.now {
      // It goes on as soon as the work of this instant is done.
      await system.waitEnds()
      continue
    }
    guard let next = [scheduler.nextMoment, wake].compactMap(\.self).min() else {
      let reason =
        "after \(ProbeText.spoken(scheduler.now.sinceOrigin)) of virtual time, and nothing is scheduled that could change it."
      // Only a thread that waits, with a deadline of which the scheduler does not know, could.
      try await scheduler.sleep(until: end, tolerance: nil)
      return try await condition() ? late : FailedWait(reason: reason)
    }
    guard max(next, scheduler.now) <= end else {
      // The condition may read a clock.
      if scheduler.now < end { try await scheduler.sleep(until: end, tolerance: nil) }
      return try await condition() ? late : FailedWait(reason: words + ".")
    }
    if next > scheduler.now { try await scheduler.sleep(until: next, tolerance: nil) } else { await scheduler.yield() }
  }
}
