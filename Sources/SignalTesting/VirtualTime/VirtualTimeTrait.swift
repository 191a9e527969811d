import Signals
public import Testing

/// Runs an asynchronous test in virtual time, with the clocks of the system.
///
/// ```swift
/// import Foundation
///
/// @Test(.virtualTime) func isOldAfterADay() async throws {
///   let start = Date()
///   try await Task.sleep(for: .seconds(86_400))
///   #expect(Date().timeIntervalSince(start) == 86_400)
/// }
/// ```
///
/// On a suite it applies to every test in it. Such tests run on the main thread, one after the other, so that the main
/// actor is in virtual time too. The limits are a year of virtual time, and ten million work items in one stretch. A
/// test fails for the same reasons as one in
/// ``withVirtualTime(systemTime:timeLimit:workLimit:chooser:isolation:fileID:filePath:line:column:_:)``.
public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
  let systemTime: SystemTime

  /// A trait on a suite applies to the tests in it.
  public var isRecursive: Bool { true }

  /// Provides a scope around each case of a test. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test, or a suite.
  ///   - testCase: The test case; `nil` for all cases of a test, and for a suite.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  /// Runs a test case. Swift Testing calls this.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case.
  ///   - function: Runs the test case.
  /// - Throws: Rethrows the errors of the test case.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let location = test.sourceLocation
    let source = MarbleSource(
      fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column)
    try await withoutActuallyEscaping(function) { function in
      try await MainActor.run {
        try runInVirtualTime(
          VirtualTimeLimits(systemTime: systemTime, timeLimit: .seconds(366 * 86_400), workLimit: 10_000_000),
          at: source, Site("virtualTime", fileID: "", line: 0, function: "")
        ) { _ in try await function() }
      }
    }
  }
}

extension Trait where Self == VirtualTimeTrait {
  /// Runs an asynchronous test in virtual time, in which `Task.sleep`, `Date()` and dispatch queues are too.
  public static var virtualTime: VirtualTimeTrait { virtualTime(.virtual) }

  /// Runs an asynchronous test in virtual time.
  ///
  /// - Parameter systemTime: What the system's clocks show, and where sleeps on them and work for dispatch queues go.
  /// - Returns: The trait.
  public static func virtualTime(_ systemTime: SystemTime) -> VirtualTimeTrait {
    VirtualTimeTrait(systemTime: systemTime)
  }
}
