import Signals

/// Runs a closure several times and fails if the number of live objects of a kind grows: subscriptions, an operator's
/// inputs, sources, scheduled work, tasks.
///
/// An object that a program retains once is no leak: a cache, a shared connection. One more with each round is. So the
/// first round may leave anything, and after that the check counts the live objects for each source location. A count
/// that is higher after each round than after the one before fails the test, with the chain and the counts. So does one
/// that never falls and grows with every second or third round, if there are at least 7 or 10 rounds.
///
/// ```swift
/// @Test func openingTheScreenAgainAndAgain() {
///   let temperatures = Property(20.0)
///   expectNoGrowth(repeating: 5) {
///     let bag = DisposeBag()
///     temperatures.signal.map { $0.rounded() }.subscribe { _ in }.store(in: bag)
///   }
/// }
/// ```
///
/// A round counts the objects that ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)`` checks, with the
/// same waits. A source counts from its first subscription, for as long as it lives and has not ended. Sources without
/// subscribers, and other memory of the program, are not counted.
///
/// - Parameters:
///   - count: The number of rounds. At least 3, so that there are two to compare: fewer count as 3.
///   - names: Names given with `named(_:)`: chains that contain one of them may grow.
///   - allowed: The same, for known growth: the check fails as soon as nothing with that name grows.
///   - body: One round.
/// - Throws: Rethrows the errors of the closure. Then nothing is checked.
@_disfavoredOverload
public func expectNoGrowth(
  repeating count: Int = 5, ignoring names: Set<String> = [], allowing allowed: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Void
) rethrows {
  let check = LeakCheck(ignoring: names, allowing: allowed, failures: nil)
  defer { check.recorder.close() }
  var growth = GrowthCheck()
  for _ in 0..<max(3, count) {
    try check.recorder.record(body)
    growth.add(check.census(after: growth.reference))
  }
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  for name in growth.unused(allowed) {
    report(Allowances.growthMessage(name, in: "the check at \(place.fileName):\(place.line)"), at: place)
  }
  for failure in growth.failures(check.recorder, ignoring: names.union(allowed), at: place) {
    report(failure.message, at: failure.source, else: place)
  }
}

/// Runs an asynchronous closure several times and fails if the number of live objects of a kind grows; see the
/// synchronous overload.
///
/// - Parameters:
///   - count: The number of rounds. At least 3, so that there are two to compare: fewer count as 3.
///   - names: Names given with `named(_:)`: chains that contain one of them may grow.
///   - allowed: The same, for known growth: the check fails as soon as nothing with that name grows.
///   - isolation: The isolation of the closure: by default the caller's.
///   - body: One round.
/// - Throws: Rethrows the errors of the closure. Then nothing is checked.
public func expectNoGrowth(
  repeating count: Int = 5, ignoring names: Set<String> = [], allowing allowed: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows {
  let check = LeakCheck(ignoring: names, allowing: allowed, failures: nil)
  defer { check.recorder.close() }
  var growth = GrowthCheck()
  for _ in 0..<max(3, count) {
    try await check.recorder.record(body)
    growth.add(await check.census(after: growth.reference))
  }
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  for name in growth.unused(allowed) {
    report(Allowances.growthMessage(name, in: "the check at \(place.fileName):\(place.line)"), at: place)
  }
  for failure in growth.failures(check.recorder, ignoring: names.union(allowed), at: place) {
    report(failure.message, at: failure.source, else: place)
  }
}
