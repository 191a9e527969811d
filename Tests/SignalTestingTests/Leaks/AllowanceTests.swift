import Signals
import Testing

@testable import SignalTesting

@Suite struct AllowanceTests {
  private let keeper = LeakKeeper()
  private let keys = Emitter<Int>()

  @Test func whatIsAllowedMayStayAlive() {
    assertNoLeaks(allowing: ["log"]) {
      keys.signal.named("log").subscribe { _ in }.store(in: keeper.bag)
    }
  }

  @Test func whatIsAllowedMayStayAliveAsynchronously() async {
    await assertNoLeaks(allowing: ["log"]) {
      await Task.yield()
      keys.signal.named("log").subscribe { _ in }.store(in: keeper.bag)
    }
  }

  @Test func anAllowanceThatIsNotNeededFails() {
    let message = failure {
      assertNoLeaks(allowing: ["log", "status"]) {
        keys.signal.named("log").subscribe { _ in }.store(in: keeper.bag)
        keys.signal.named("status").subscribe { _ in }.dispose()
      }
    }
    #expect(message.hasPrefix("unused allowance \"status\": nothing with this name is alive at the end of the scope"))
  }

  @Test func whatIsIgnoredNeedNotBeThere() {
    assertNoLeaks(ignoring: ["log"]) {}
  }

  @Test func whatIsNotAllowedLeaks() {
    let issues = issuesOf {
      assertNoLeaks(allowing: ["log"]) {
        keys.signal.map { $0 }.named("log").subscribe { _ in }.store(in: keeper.bag)
        keys.signal.map { $0 }.named("other").subscribe { _ in }.store(in: keeper.bag)
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.comments.first?.rawValue.contains("\"other\"") == true)
  }

  @Test(arguments: [0, 1, 2]) func aTraitFailsWhenNoCaseNeedsTheName(_ needing: Int) async throws {
    let test = try #require(Test.current)
    let testCase = try #require(Test.Case.current)
    let trait = NoLeaksTrait.noLeaks(allowing: ["log"])
    let issues = Issues()
    let keeper = keeper
    let keys = keys
    try await withKnownIssue(isIntermittent: true) {
      try await trait.provideScope(for: test, testCase: nil) {
        for number in 1...2 {
          try await trait.provideScope(for: test, testCase: testCase) {
            if number == needing { keys.signal.named("log").subscribe { _ in }.store(in: keeper.bag) }
          }
        }
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.count == (needing == 0 ? 1 : 0))
    #expect(issues.all.allSatisfy { $0.comments.first?.rawValue.hasPrefix("unused allowance \"log\"") == true })
  }

  @Test func whatIsAllowedFurtherOutIsJudgedThere() {
    let outer = Allowances(["log"], inside: nil)
    let inner = Allowances(["log", "status"], inside: outer)
    #expect(inner.remaining == ["status"])
    inner.note(allowed: ["log", "status"], unused: ["status"])
    #expect(inner.remaining == ["status"])
    #expect(outer.remaining == [])
  }
}

@Suite(.noLeaks(allowing: ["kept by the suite"])) struct AllowingSuiteTests {
  @Test(arguments: 0..<2) func oneOfItsTestsNeedsTheName(_ number: Int) {
    let subscription = LeakKeeper.numbers.signal.map { $0 }.named("kept by the suite").subscribe { _ in }
    if number == 0 { LeakKeeper.lasting.bag.insert(subscription) }
  }

  @Test(.noLeaks(allowing: ["kept by the test"])) func aTestMayAllowMore() {
    LeakKeeper.lasting.bag.insert(
      LeakKeeper.numbers.signal.map { $0 }.named("kept by the test").subscribe { _ in })
  }
}

extension LeakKeeper {
  fileprivate static let lasting = LeakKeeper()
  fileprivate static let numbers = Emitter<Int>()
}

/// The samples of the documentation.
@Suite struct DocumentedAllowanceTests {
  @Test(.noLeaks(allowing: ["statistics"])) func theStatisticsStillLeak() {
    let temperatures = Emitter<Double>()
    temperatures.signal.map { $0 }.named("statistics").subscribe { _ in temperatures.send(0) }.retained()
  }

  @Test(.noLeaks(allowing: ["log"])) func theLogStays() {
    let lines = Emitter<String>()
    lines.signal.named("log").subscribe { print($0, lines.subscriberCount) }.retained()
    lines.send("started")
  }
}
