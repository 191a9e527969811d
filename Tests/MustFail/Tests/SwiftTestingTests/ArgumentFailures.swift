import SignalTesting
import Testing

/// Tests with parameters or traits. XCTest has no such tests.
@Suite(.requiresArguments) struct ArgumentFailures {
  static let none: [String] = []

  @Test(arguments: none)
  func noArgument(diagram: String) {}  // must fail 1 line above in its suite: has no argument

  @Test(arguments: ["-a|", "-b|"]) func someArguments(diagram: String) {
    marbles { m in
      let source = m.hot(diagram)
      m.expect(source.signal, diagram)
    }
  }
}

@Test(.requiresArguments, arguments: ArgumentFailures.none)
func noArgumentAndNoSuite(diagram: String) {}  // must fail 1 line above without its test: has no argument

@Test(.requiresArguments, .disabled(), arguments: ArgumentFailures.none)
func noArgumentAndDisabled(diagram: String) {}

@Suite(.noLeaks) struct ArgumentFailuresOfLeakTests {
  @Test(arguments: ArgumentFailures.none)
  func noArgumentForLeaks(diagram: String) {}  // must fail 1 line above in its suite: has no argument
}

@Suite(.virtualTime) struct TraitFailures {
  @Test func aTestThatNeverReturns() async {  // must fail: the task has not finished although nothing is left to do
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
}
