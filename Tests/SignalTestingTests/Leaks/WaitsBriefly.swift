import Testing

@testable import SignalTesting

/// For tests that leak what no other thread will release: their checks need not wait for one.
/// It stands before the check.
struct WaitsBriefly: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await LeakCheck.Patience.$forRelease.withValue(.milliseconds(20)) { try await function() }
  }
}

extension Trait where Self == WaitsBriefly {
  static var waitsBriefly: Self { Self() }
}
