import Signals

// The synchronous forms are disfavoured, so that an asynchronous test takes the asynchronous ones, which never block a thread.

/// Runs a closure and fails for each fault of the chains that were created in it: at the line of the fault, with a remedy.
///
/// It reports what `signal-viz check` reports for a running program, see `SignalFindings`, for objects that are created in the closure only: leaks, as
/// ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)`` reports them, unhandled failures, subscriptions whose token was dropped,
/// late subscribers, and so on.
///
/// ```swift
/// @Test func theFeedIsHealthy() {
///   assertHealthy {
///     let headlines = Emitter<String>()
///     let bag = DisposeBag()
///     headlines.signal.map { $0.uppercased() }.subscribe { text in print(text) }.store(in: bag)
///     headlines.send("rain")
///     headlines.finish()
///   }
/// }
/// ```
///
/// - What belongs to the scope, how long is waited, and what a leak is: as with `assertNoLeaks`. Rules that need rates or durations are checked where
///   virtual time passes, in `marbles` and `withVirtualTime`, inside the closure or around it. Elsewhere rates and durations are not reported.
/// - Growth shows only over rounds; see ``assertHealthy(repeating:ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``.
/// - A failure that a test expects is subscribed to inside `UnhandledFailure.withHandler(_:operation:)`.
/// - If the closure throws, nothing is checked.
///
/// Works under Swift Testing and XCTest.
///
/// - Parameters:
///   - rules: The names of rules that are not checked, such as `"late-subscriber"`. An unknown name fails the test and lists the rules.
///   - allowed: The same, for what is known to be found: the check fails as soon as a rule finds nothing any more.
///   - names: Names that were given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for what is known to be faulty: the check fails as soon as a name is not needed any more.
///   - body: Makes the subscriptions, and lets them go.
/// - Returns: What the closure returned. A returned subscription is still alive, so it is a leak.
/// - Throws: What the closure throws.
@discardableResult
@_disfavoredOverload
public func assertHealthy<Result>(
  ignoring rules: Set<String> = [], allowing allowed: Set<String> = [], ignoringChains names: Set<String> = [],
  allowingChains allowedNames: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Result
) rethrows -> Result {
  let allowance = HealthAllowance(
    ignoredRules: rules, ignoredNames: names, allowedRules: allowed, allowedNames: allowedNames)
  let check = HealthCheck(allowance)
  let result: Result
  do { result = try check.run(body) } catch {
    check.abandon()
    throw error
  }
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  let holders = [PropertyPath.Holder(name: "the result of the closure", value: result)]
  check.verdict(check.leaks(), at: place, holders: holders).report(allowance, at: place)
  return result
}

/// Runs an asynchronous closure and fails for each fault of what was made in it; see the synchronous form.
///
/// Tasks that the closure starts and does not await may still be at work when it is checked, and then are leaks: await them.
///
/// - Parameters:
///   - rules: The names of rules that are not checked, such as `"late-subscriber"`. An unknown name fails the test and lists the rules.
///   - allowed: The same, for what is known to be found: the check fails as soon as a rule finds nothing any more.
///   - names: Names that were given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for what is known to be faulty: the check fails as soon as a name is not needed any more.
///   - isolation: Where the closure runs: by default where it is called.
///   - body: Makes the subscriptions, and lets them go.
/// - Returns: What the closure returned. A returned subscription is still alive, so it is a leak.
/// - Throws: What the closure throws.
@discardableResult
public func assertHealthy<Result>(
  ignoring rules: Set<String> = [], allowing allowed: Set<String> = [], ignoringChains names: Set<String> = [],
  allowingChains allowedNames: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let allowance = HealthAllowance(
    ignoredRules: rules, ignoredNames: names, allowedRules: allowed, allowedNames: allowedNames)
  let check = HealthCheck(allowance)
  let result: Result
  do { result = try await check.run(body) } catch {
    check.abandon()
    throw error
  }
  let leaks = await check.leaks()
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  let holders = [PropertyPath.Holder(name: "the result of the closure", value: result)]
  check.verdict(leaks, at: place, holders: holders).report(allowance, at: place)
  return result
}

/// Runs a closure several times and fails for each fault of what was made in it, and for what grows with every round.
///
/// As ``assertHealthy(ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``, but what stays alive is judged as
/// ``expectNoGrowth(repeating:ignoring:allowing:fileID:filePath:line:column:_:)`` does: what is kept once, a cache or a shared connection, is no fault,
/// what is kept once more with each round is.
///
/// ```swift
/// @Test func openingTheScreenAgainAndAgain() {
///   let temperatures = Property(20.0)
///   assertHealthy(repeating: 5) {
///     let bag = DisposeBag()
///     temperatures.signal.map { $0.rounded() }.subscribe { _ in }.store(in: bag)
///   }
/// }
/// ```
///
/// - Parameters:
///   - count: How many rounds there are. At least 3, so that there are two to compare: fewer count as 3.
///   - rules: The names of rules that are not checked. An unknown name fails the test and lists the rules.
///   - allowed: The same, for what is known to be found: the check fails as soon as a rule finds nothing any more.
///   - names: Names that were given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for what is known to be faulty: the check fails as soon as a name is not needed any more.
///   - body: One round.
/// - Throws: What the closure throws. Then nothing is checked.
@_disfavoredOverload
public func assertHealthy(
  repeating count: Int, ignoring rules: Set<String> = [], allowing allowed: Set<String> = [],
  ignoringChains names: Set<String> = [], allowingChains allowedNames: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () throws -> Void
) rethrows {
  let allowance = HealthAllowance(
    ignoredRules: rules, ignoredNames: names, allowedRules: allowed, allowedNames: allowedNames)
  let check = HealthCheck(allowance)
  var growth = GrowthCheck()
  do {
    for _ in 0..<max(3, count) {
      try check.run(body)
      growth.add(check.census(after: growth.reference))
    }
  } catch {
    check.abandon()
    throw error
  }
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  check.verdict(growth, at: place).report(allowance, at: place)
}

/// Runs an asynchronous closure several times and fails for each fault of what was made in it, and for what grows with every round; see the
/// synchronous form.
///
/// - Parameters:
///   - count: How many rounds there are. At least 3, so that there are two to compare: fewer count as 3.
///   - rules: The names of rules that are not checked. An unknown name fails the test and lists the rules.
///   - allowed: The same, for what is known to be found: the check fails as soon as a rule finds nothing any more.
///   - names: Names that were given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for what is known to be faulty: the check fails as soon as a name is not needed any more.
///   - isolation: Where the closure runs: by default where it is called.
///   - body: One round.
/// - Throws: What the closure throws. Then nothing is checked.
public func assertHealthy(
  repeating count: Int, ignoring rules: Set<String> = [], allowing allowed: Set<String> = [],
  ignoringChains names: Set<String> = [], allowingChains allowedNames: Set<String> = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows {
  let allowance = HealthAllowance(
    ignoredRules: rules, ignoredNames: names, allowedRules: allowed, allowedNames: allowedNames)
  let check = HealthCheck(allowance)
  var growth = GrowthCheck()
  do {
    for _ in 0..<max(3, count) {
      try await check.run(body)
      growth.add(await check.census(after: growth.reference))
    }
  } catch {
    check.abandon()
    throw error
  }
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  check.verdict(growth, at: place).report(allowance, at: place)
}

extension HealthCheck.Verdict {
  /// Tells everything, and which allowances were not needed.
  fileprivate func report(_ allowance: HealthAllowance, at place: MarbleSource) {
    for message in allowance.unknownRules { SignalTesting.report(message, at: place) }
    let scope = "the scope at \(place.fileName):\(place.line)"
    for needed in unused(of: allowance) { SignalTesting.report(needed.message(in: scope), at: place) }
    record(at: place)
  }

  /// What was allowed and not needed. Of a rule that there is not, something else is said.
  func unused(of allowance: HealthAllowance) -> [HealthAllowance.Needed] {
    allowance.needed.subtracting(used).sorted { $0.order < $1.order }
  }

  /// Makes each fault a failure of the running test.
  func record(at place: MarbleSource) {
    leaks?.record()
    for failure in failures { SignalTesting.report(failure.message, at: failure.source, else: place) }
  }
}
