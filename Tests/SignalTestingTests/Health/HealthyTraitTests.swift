import SignalTesting
import Signals
import Testing

@Suite(.healthy) struct HealthyTraitTests {
  private let bag = DisposeBag()
  private let numbers = Emitter<Int>()

  init() { numbers.signal.subscribe { _ in }.store(in: bag) }

  @Test func whatIsStoredInTheSuiteIsReleased() { numbers.send(1) }

  @Test(arguments: [1, 2]) func eachCaseIsCheckedByItself(number: Int) async {
    await Task.yield()
    numbers.send(number)
  }

  @Test(.healthy(allowing: ["late-subscriber"])) func anAllowance() {
    let news = Emitter<String>()
    news.finish()
    news.signal.subscribe { text in print(text) }.store(in: bag)
  }
}

@Suite struct HealthyTraitFailureTests {
  @Test func aFaultFailsTheTestAtItsLine() async throws {
    let test = try #require(Test.current)
    let issues = Issues()
    let bag = DisposeBag()
    try await withKnownIssue {
      try await HealthyTrait.healthy.provideScope(for: test, testCase: nil) {
        let source = Emitter<Int>()
        source.finish()
        source.signal.subscribe { _ in }.store(in: bag)
      }
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(issues.all.map { $0.sourceLocation?.line } == [#line - 6])
    #expect(issues.all.first?.sourceLocation?.filePath == #filePath)
    #expect(issues.all.first?.comments.first?.rawValue.hasPrefix("late-subscriber: ") == true)
  }

  @Test func anAllowanceThatNoCaseNeedsFails() async throws {
    let test = try #require(Test.current)
    let issues = Issues()
    try await withKnownIssue {
      let trait = HealthyTrait.healthy(allowing: ["late-subscriber"], allowingChains: ["news"])
      try await trait.provideScope(for: test, testCase: nil) {}
    } matching: { issue in
      issues.add(issue)
      return true
    }
    #expect(
      issues.all.compactMap { $0.comments.first?.rawValue.prefix { $0 != ":" } } == [
        "unused allowance \"late-subscriber\"", "unused allowance \"news\"",
      ])
  }
}
