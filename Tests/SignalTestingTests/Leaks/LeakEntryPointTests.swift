import SignalTesting
import Signals
import Testing

@Suite struct LeakEntryPointTests {
  private let keeper = LeakKeeper()

  /// Whether an issue is the report of a sample, at the line where what leaked was made.
  private static func isReport(of sample: LeakSample) -> @Sendable (Issue) -> Bool {
    { issue in
      issue.comments.contains { $0.rawValue.hasPrefix(sample.kind.title) }
        && issue.sourceLocation?.fileID.hasSuffix("LeakSamples.swift") == true
        && issue.sourceLocation.map { $0.filePath != $0.fileID } == true
    }
  }

  @Test(.waitsBriefly, arguments: LeakSample.allCases) func theSynchronousFormFails(_ sample: LeakSample) {
    withKnownIssue {
      assertNoLeaks { sample.run(keeping: keeper) }
    } matching: {
      Self.isReport(of: sample)($0)
    }
  }

  @Test(.waitsBriefly, arguments: LeakSample.allCases) func theAsynchronousFormFails(_ sample: LeakSample) async {
    await withKnownIssue {
      await assertNoLeaks {
        await Task.yield()
        sample.run(keeping: keeper)
      }
    } matching: {
      Self.isReport(of: sample)($0)
    }
  }

  @Test(.waitsBriefly, arguments: LeakSample.allCases) func theTraitFails(_ sample: LeakSample) async throws {
    let test = try #require(Test.current)
    let keeper = keeper
    try await withKnownIssue {
      try await NoLeaksTrait.noLeaks.provideScope(for: test, testCase: nil) { sample.run(keeping: keeper) }
    } matching: {
      Self.isReport(of: sample)($0)
    }
  }

  @Test func aCleanScopePassesAndReturnsItsResult() async {
    let result = await assertNoLeaks {
      let numbers = Emitter<Int>()
      let subscription = numbers.signal.subscribe { _ in }
      numbers.send(1)
      subscription.dispose()
      return 7
    }
    #expect(result == 7)
  }

  @Test func theSynchronousFormReturnsItsResultToo() {
    #expect(assertNoLeaks { 8 } == 8)
  }

  @Test func aScopeThatThrowsIsNotChecked() {
    struct Failure: Error {}
    let keeper = keeper
    #expect(throws: Failure.self) {
      try assertNoLeaks {
        LeakSample.neverDisposed.run(keeping: keeper)
        throw Failure()
      }
    }
  }
}

/// Each test of the suite leaves its subscription to a stored property, which is released with the suite.
@Suite(.noLeaks) final class NoLeaksSuiteTests {
  private let numbers = Emitter<Int>()
  private var subscription: Subscription?

  init() {
    subscription = numbers.signal.subscribe { _ in }
  }

  @Test(arguments: 0..<3) func storedPropertiesAreReleased(_ number: Int) {
    numbers.send(number)
    #expect(numbers.subscriberCount == 1)
  }

  @Test func asynchronously() async {
    await Task.yield()
    #expect(numbers.subscriberCount == 1)
  }
}
