import SignalFindings
import Signals

// The synchronous overloads are disfavoured, so that an asynchronous test uses the asynchronous ones, which never block
// a thread.

/// Runs a closure and fails for each fault of the chains that were created in it: at the line of the fault, with a remedy.
///
/// It reports the same as `signal-viz check` for a running program, see `SignalFindings`, for objects that are created
/// in the closure only: leaks, as ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)`` reports them,
/// unhandled failures, unused subscriptions, late subscribers, and so on.
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
/// - The scope, the waiting time and the definition of a leak are those of `assertNoLeaks`. Rules that need rates or
///   durations are checked where virtual time advances, in `marbles` and `withVirtualTime`, inside the closure or
///   around it. Elsewhere rates and durations are not reported.
/// - Growth shows only over rounds; see ``assertHealthy(repeating:ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``.
/// - Subscribe to a failure that a test expects inside `UnhandledFailure.withHandler(_:operation:)`.
/// - If the closure throws, nothing is checked.
///
/// Works under Swift Testing and XCTest.
///
/// - Parameters:
///   - rules: The names of rules that are not checked, such as `"late-subscriber"`. An unknown name fails the test and lists the rules.
///   - allowed: The same, for known findings: the check fails as soon as a rule finds nothing any more.
///   - names: Names given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for known faults: the check fails as soon as a name is no longer needed.
///   - body: Creates the subscriptions, and releases them.
/// - Returns: The result of the closure. A returned subscription is still alive, so it is a leak.
/// - Throws: Rethrows the errors of the closure.
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

/// Runs an asynchronous closure and fails for each fault of the chains that were created in it; see the synchronous
/// overload.
///
/// Tasks that the closure starts and does not await may still be running at the check, and then are leaks: await them.
///
/// - Parameters:
///   - rules: The names of rules that are not checked, such as `"late-subscriber"`. An unknown name fails the test and lists the rules.
///   - allowed: The same, for known findings: the check fails as soon as a rule finds nothing any more.
///   - names: Names given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for known faults: the check fails as soon as a name is no longer needed.
///   - isolation: The isolation of the closure: by default the caller's.
///   - body: Creates the subscriptions, and releases them.
/// - Returns: The result of the closure. A returned subscription is still alive, so it is a leak.
/// - Throws: Rethrows the errors of the closure.
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
  // Safe: only looked at, while this waits.
  nonisolated(unsafe) let holders = [PropertyPath.Holder(name: "the result of the closure", value: result)]
  await LeakCheck.onMainActor(if: !leaks.isEmpty && isolation == nil) {
    check.verdict(leaks, at: place, holders: holders)
  }.report(allowance, at: place)
  return result
}

/// Runs a closure several times and fails for each fault of the chains that were created in it, and for growth with
/// every round.
///
/// Like ``assertHealthy(ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``, but live
/// objects are judged like in ``expectNoGrowth(repeating:ignoring:allowing:fileID:filePath:line:column:_:)``: an object
/// that is retained once, a cache or a shared connection, is no fault; one more with each round is.
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
///   - count: The number of rounds. At least 3, so that there are two to compare: fewer count as 3.
///   - rules: The names of rules that are not checked. An unknown name fails the test and lists the rules.
///   - allowed: The same, for known findings: the check fails as soon as a rule finds nothing any more.
///   - names: Names given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for known faults: the check fails as soon as a name is no longer needed.
///   - body: One round.
/// - Throws: Rethrows the errors of the closure. Then nothing is checked.
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
      try check.runRound(body)
      growth.add(check.census(after: growth.reference))
    }
  } catch {
    check.abandon()
    throw error
  }
  let place = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  check.verdict(growth, at: place).report(allowance, at: place)
}

/// Runs an asynchronous closure several times and fails for each fault of the chains that were created in it, and for
/// growth with every round; see the synchronous overload.
///
/// - Parameters:
///   - count: The number of rounds. At least 3, so that there are two to compare: fewer count as 3.
///   - rules: The names of rules that are not checked. An unknown name fails the test and lists the rules.
///   - allowed: The same, for known findings: the check fails as soon as a rule finds nothing any more.
///   - names: Names given with `named(_:)`: chains that contain one of them are not reported.
///   - allowedNames: The same, for known faults: the check fails as soon as a name is no longer needed.
///   - isolation: The isolation of the closure: by default the caller's.
///   - body: One round.
/// - Throws: Rethrows the errors of the closure. Then nothing is checked.
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
      try await check.runRound(body)
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
  /// Reports all faults, and superfluous allowances.
  fileprivate func report(_ allowance: HealthAllowance, at place: MarbleSource) {
    for message in allowance.unknownRules { SignalTesting.report(message, at: place) }
    let scope = "the scope at \(place.fileName):\(place.line)"
    for needed in unused(of: allowance) { SignalTesting.report(needed.message(in: scope), at: place) }
    record(at: place)
  }

  /// The superfluous allowances. An unknown rule is reported differently.
  func unused(of allowance: HealthAllowance) -> [HealthAllowance.Needed] {
    allowance.needed.subtracting(used).sorted { $0.order < $1.order }
  }

  /// Adds findings.
  mutating func add(_ findings: [Finding], at place: MarbleSource, near neighbour: MarbleSource) {
    for finding in findings {
      let told = HealthReport.failure(finding, at: place, near: neighbour)
      if HealthReport.warnedRules.contains(finding.rule) { warnings.append(told) } else { failures.append(told) }
    }
  }

  /// Reports each finding of lower weight as a warning.
  func warn() {
    for warning in warnings { SignalTesting.warn(warning.message, at: warning.source) }
  }

  /// Reports each fault as a failure of the running test, or as a warning.
  func record(at place: MarbleSource) {
    leaks?.record()
    warn()
    for failure in failures { SignalTesting.report(failure.message, at: failure.source, else: place) }
  }
}
