import Signals
public import Testing

/// Fails a test when something that was made in it is still alive at its end; see ``assertNoLeaks(ignoring:fileID:filePath:line:column:_:)``.
///
/// A test also fails when a failure reaches a subscription that has no closure for it, at the line of that subscription; see `UnhandledFailure`. A
/// test that expects such a failure subscribes inside `UnhandledFailure.withHandler(_:operation:)`. All this is reported at the end of the test,
/// so a `withKnownIssue` inside the test does not see it.
///
/// On a suite it applies to every test in it. Each test case is checked by itself, from before the suite's `init` to after its `deinit`, so that
/// subscriptions in stored properties count as released. A test with parameters that has no argument fails too.
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
    testCase != nil || test.isSuite ? self : nil
  }

  /// Runs a test case and checks what is left of it. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case; `nil` for a suite.
  ///   - function: Runs the test case.
  /// - Throws: What the test case throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    ExpectedCases.note(test)
    defer { ExpectedCases.conclude(test) }
    // What a suite has made is looked at in each of its tests.
    if test.isSuite { return try await function() }
    let failures = FailureLog()
    let check = LeakCheck(ignoring: ignored, failures: failures)
    let location = test.sourceLocation
    let place = MarbleSource(
      fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
    // Also when the test throws.
    defer { failures.conclude(at: place).forEach { report($0.message, at: $0.source, else: place) } }
    try await failures.collect { try await check.recorder.record(function) }
    let leaks = await check.leaks()
    check.conclude(leaks, at: place)?.record()
  }
}

extension Trait where Self == NoLeaksTrait {
  /// Fails a test when a subscription, or scheduled work, that was made in it is still alive at its end.
  public static var noLeaks: NoLeaksTrait { noLeaks(ignoring: []) }

  /// Fails a test when something that was made in it is still alive at its end.
  ///
  /// - Parameter names: Names that were given with `named(_:)`: chains that contain one of them may stay alive.
  /// - Returns: The trait, for `@Test` or `@Suite`.
  public static func noLeaks(ignoring names: Set<String> = []) -> NoLeaksTrait {
    NoLeaksTrait(ignored: names)
  }
}
