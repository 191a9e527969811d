import Signals
public import Testing

/// Fails a test if an object created in it is still alive at its end; see
/// ``assertNoLeaks(ignoring:allowing:fileID:filePath:line:column:_:)``.
///
/// A test also fails if a failure reaches a subscription without a failure closure, at the line of that subscription;
/// see `UnhandledFailure`. A test that expects such a failure subscribes inside
/// `UnhandledFailure.withHandler(_:operation:)`. All this is reported at the end of the test, so a `withKnownIssue`
/// inside the test does not see it.
///
/// On a suite it applies to every test in it. Each test case is checked separately, from before the suite's `init` to
/// after its `deinit`, so that subscriptions in stored properties count as released. A parameterized test without
/// arguments fails too.
///
/// ```swift
/// @Suite(.noLeaks) struct SearchTests {
///   @Test func searching() {
///     let keystrokes = Emitter<String>()
///     let bag = DisposeBag()
///     keystrokes.signal.subscribe { text in print(text) }.store(in: bag)
///     keystrokes.send("swift")
///   }
/// }
/// ```
public struct NoLeaksTrait: TestTrait, SuiteTrait, TestScoping {
  let ignored: Set<String>
  let allowed: Set<String>

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
    testCase != nil || test.isSuite || !allowed.isEmpty ? self : nil
  }

  /// Runs a test case and checks for leaks. Swift Testing calls this.
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
    if test.isSuite || testCase == nil && !allowed.isEmpty {
      return try await allowing(in: test, at: place, function)
    }
    try await ScopesInVirtualTime.run(test, in: { try await check(at: place, $0) }, performing: function)
  }

  private func check(at place: MarbleSource, _ function: @Sendable () async throws -> Void) async throws {
    let failures = FailureLog()
    let check = LeakCheck(ignoring: ignored, allowing: allowed, failures: failures)
    // Also if the test throws.
    defer { failures.conclude(at: place).forEach { report($0.message, at: $0.source, else: place) } }
    try await failures.collect { try await check.record(function) }
    let leaks = await check.leaks()
    if !allowed.isEmpty {
      Allowances.current?.note(allowed: allowed, unused: Set(check.unusedAllowances()))
    }
    await LeakCheck.onMainActor(if: !leaks.isEmpty) { check.conclude(leaks, at: place) }?.record()
  }

  /// Runs the cases of a test, or of a suite, and fails for allowances that none of them has needed.
  private func allowing(
    in test: Test, at place: MarbleSource, _ function: @Sendable () async throws -> Void
  ) async throws {
    if allowed.isEmpty { return try await function() }
    let allowances = Allowances(allowed, inside: Allowances.current)
    try await Allowances.$current.withValue(allowances) { try await function() }
    if test.isSuite, Allowances.isRunFiltered { return }
    let scope = test.isSuite ? "any test of \(test.name)" : "the scope at \(place.fileName):\(place.line)"
    for name in allowances.remaining { report(Allowances.message(name, in: scope), at: place) }
  }
}

extension Trait where Self == NoLeaksTrait {
  /// Fails a test if a subscription, or scheduled work, that was created in it is still alive at its end.
  public static var noLeaks: NoLeaksTrait { noLeaks(ignoring: []) }

  /// Fails a test if an object created in it is still alive at its end.
  ///
  /// An allowance is for a known leak, and fails once it is not needed:
  ///
  /// ```swift
  /// @Test(.noLeaks(allowing: ["log"])) func theLogStays() {
  ///   let lines = Emitter<String>()
  ///   lines.signal.named("log").subscribe { print($0, lines.subscriberCount) }.retained()
  ///   lines.send("started")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - names: Names given with `named(_:)`: chains that contain one of them may stay alive.
  ///   - allowed: The same, for known leaks. The test fails if none of its cases needs the name any more; a suite, if
  ///     none of its tests does, unless the run is filtered.
  /// - Returns: The trait, for `@Test` or `@Suite`.
  public static func noLeaks(ignoring names: Set<String> = [], allowing allowed: Set<String> = []) -> NoLeaksTrait {
    NoLeaksTrait(ignored: names, allowed: allowed)
  }
}
