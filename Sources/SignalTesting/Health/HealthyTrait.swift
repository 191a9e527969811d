import Signals
public import Testing

/// Fails a test for each fault of the chains created in it: at the line of the fault, with a remedy; see
/// ``assertHealthy(ignoring:allowing:ignoringChains:allowingChains:fileID:filePath:line:column:_:)``.
///
/// It reports everything that ``NoLeaksTrait`` reports, and more, so a test needs one of the two.
///
/// On a suite it applies to every test in it. Each test case is checked separately, from before the suite's `init` to
/// after its `deinit`, so that subscriptions in stored properties count as released. A parameterized test without
/// arguments fails too.
///
/// ```swift
/// @Suite(.healthy) struct SearchTests {
///   @Test func searching() {
///     let keystrokes = Emitter<String>()
///     let bag = DisposeBag()
///     keystrokes.signal.subscribe { text in print(text) }.store(in: bag)
///     keystrokes.send("swift")
///   }
/// }
/// ```
///
/// A fault is reported at the end of the test, so a `withKnownIssue` inside the test does not see it.
public struct HealthyTrait: TestTrait, SuiteTrait, TestScoping {
  let allowance: HealthAllowance

  /// A trait on a suite applies to the tests in it.
  public var isRecursive: Bool { true }

  /// Notes that a test is about to run. Swift Testing calls this.
  ///
  /// - Parameter test: The test, or a suite.
  public func prepare(for test: Test) async { await ExpectedCases.expect(test) }

  /// Provides a scope around each case of a test, and around a suite. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test, or a suite.
  ///   - testCase: The test case; `nil` for all cases of a test, and for a suite.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase != nil || test.isSuite || !allowance.needed.isEmpty ? self : nil
  }

  /// Runs a test case and checks the chains created in it. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case; `nil` for a suite.
  ///   - function: Runs the test case.
  /// - Throws: Rethrows the errors of the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    ExpectedCases.note(test)
    defer { ExpectedCases.conclude(test) }
    let place = MarbleSource(test.sourceLocation)
    // Objects that a suite has created are checked in each of its tests.
    if test.isSuite || testCase == nil && !allowance.needed.isEmpty {
      return try await allowing(in: test, at: place, function)
    }
    try await ScopesInVirtualTime.run(test, in: { try await check(at: place, $0) }, performing: function)
  }

  private func check(at place: MarbleSource, _ function: @Sendable () async throws -> Void) async throws {
    let check = HealthCheck(allowance)
    do { try await check.run(function) } catch {
      check.abandon()
      throw error
    }
    let leaks = await check.leaks()
    let verdict = await LeakCheck.onMainActor(if: !leaks.isEmpty) { check.verdict(leaks, at: place) }
    HealthAllowances.current?.note(used: verdict.used)
    for message in allowance.unknownRules { report(message, at: place) }
    verdict.record(at: place)
  }

  /// Runs the cases of a test, or of a suite, and fails for allowances that none of them has needed.
  private func allowing(
    in test: Test, at place: MarbleSource, _ function: @Sendable () async throws -> Void
  ) async throws {
    if allowance.needed.isEmpty { return try await function() }
    let allowances = HealthAllowances(allowance.needed, inside: HealthAllowances.current)
    try await HealthAllowances.$current.withValue(allowances) { try await function() }
    if test.isSuite, Allowances.isRunFiltered { return }
    let scope = test.isSuite ? "any test of \(test.name)" : "the scope at \(place.fileName):\(place.line)"
    for needed in allowances.remaining { report(needed.message(in: scope), at: place) }
  }
}

extension Trait where Self == HealthyTrait {
  /// Fails a test for each fault of the chains created in it: leaks, unhandled failures, and the findings of
  /// `SignalFindings`.
  public static var healthy: HealthyTrait { healthy(ignoring: []) }

  /// Fails a test for each fault of the chains created in it.
  ///
  /// ```swift
  /// @Test(.healthy(allowing: ["late-subscriber"])) func theBannerComesTooLate() {
  ///   let news = Emitter<String>()
  ///   news.finish()
  ///   let bag = DisposeBag()
  ///   news.signal.subscribe { text in print(text) }.store(in: bag)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - rules: The names of rules that are not checked. An unknown name fails the test and lists the rules.
  ///   - allowed: The same, for known findings. The test fails if a rule finds nothing in any of its cases; a suite, if
  ///     in none of its tests, unless the run is filtered.
  ///   - names: Names given with `named(_:)`: chains that contain one of them are not reported.
  ///   - allowedNames: The same, for known faults, as with `allowing`.
  /// - Returns: The trait, for `@Test` or `@Suite`.
  public static func healthy(
    ignoring rules: Set<String> = [], allowing allowed: Set<String> = [], ignoringChains names: Set<String> = [],
    allowingChains allowedNames: Set<String> = []
  ) -> HealthyTrait {
    HealthyTrait(
      allowance: HealthAllowance(
        ignoredRules: rules, ignoredNames: names, allowedRules: allowed, allowedNames: allowedNames))
  }
}
