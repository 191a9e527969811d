public import Testing

/// Fails a parameterized test without arguments: the list of its arguments is empty, so it checks nothing.
///
/// Swift Testing skips such a test, and the run passes. On a suite the trait applies to every test in it, and the suite
/// fails. On a single test, the process fails, at its exit. ``NoLeaksTrait`` does the same.
///
/// ```swift
/// @Suite(.requiresArguments) struct FixtureTests {
///   @Test(arguments: ["-a|", "-b|"]) func finishes(diagram: String) {
///     marbles { m in m.expect(m.hot(diagram).signal.map { _ in 1 }, "-1|") }
///   }
/// }
/// ```
///
/// A test that is disabled needs no argument.
public struct RequiresArgumentsTrait: TestTrait, SuiteTrait, TestScoping {
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

  /// Runs a case, or a suite whose tests are checked afterwards. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test, or a suite.
  ///   - testCase: The test case; `nil` for a suite.
  ///   - function: Runs the case or the suite.
  /// - Throws: Rethrows the errors of `function`.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    ExpectedCases.note(test)
    defer { ExpectedCases.conclude(test) }
    try await function()
  }
}

extension Trait where Self == RequiresArgumentsTrait {
  /// Fails a parameterized test without arguments.
  public static var requiresArguments: RequiresArgumentsTrait { RequiresArgumentsTrait() }
}
