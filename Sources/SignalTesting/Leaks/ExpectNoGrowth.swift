import Signals

/// Runs a closure several times and fails if more and more of something stays alive: a subscription, an operator's inputs, a source, scheduled work, a task.
///
/// An object that a program retains once is no leak: a cache, a shared connection. One more with each round is. So the first round may
/// leave anything, and after that the check counts the objects that are alive, for each source location. A count that is higher after each round
/// than after the one before fails the test, with the chain and the counts.
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
/// A round counts what ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)`` checks, and waits for the same. A source counts from its first
/// subscription, for as long as it lives and has not ended. Sources without subscribers, and memory of the program's own, are not counted.
///
/// - Parameters:
///   - count: How many rounds there are. At least 3, so that there are two to compare: fewer count as 3.
///   - names: Names that were given with `named(_:)`: chains that contain one of them may grow.
///   - allowed: The same, for what is known to grow: the check fails as soon as nothing with that name grows.
///   - body: One round.
/// - Throws: What the closure throws. Then nothing is checked.
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

/// Runs an asynchronous closure several times and fails if more and more of something stays alive; see the synchronous form.
///
/// - Parameters:
///   - count: How many rounds there are. At least 3, so that there are two to compare: fewer count as 3.
///   - names: Names that were given with `named(_:)`: chains that contain one of them may grow.
///   - allowed: The same, for what is known to grow: the check fails as soon as nothing with that name grows.
///   - isolation: Where the closure runs: by default where it is called.
///   - body: One round.
/// - Throws: What the closure throws. Then nothing is checked.
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
