import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("swallowed-failure") struct SwallowedFailureRuleTests {
  private struct Unauthorized: Error {}
  private let bag = DisposeBag()

  /// The findings after requests, of which some fail, and after other subscriptions that the recorder then retains in their place.
  private func findings(
    requests: Int = 12, failing: Int = 12, then others: Int = 0,
    _ recover: @escaping @Sendable (Signal<Int>) -> Signal<Int>
  ) -> [Finding] {
    let program = WatchedProgram()
    let queries = Emitter<Int>()
    program.make {
      queries.signal.flatMap { number in
        recover(
          Signal.just(number).subscribed(on: .immediate).map { if $0 < failing { throw Unauthorized() } else { $0 } })
      }.subscribe { _ in }.store(in: bag)
    }
    return program.findings {
      for number in 0..<requests { queries.send(number) }
      for number in 0..<others { Signal.just(number).map { $0 }.subscribe { _ in }.store(in: bag) }
    }
  }

  @Test func failureOfEachRequestIsReported() throws {
    let line = #line + 1
    let found = findings { $0.catch { _ in .just(0) } }
    try #require(found.map(\.rule) == ["swallowed-failure"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "12 of 12 subscriptions above this `catch` failed, the last one with Unauthorized()")
    #expect(found[0].related.map(\.message) == ["`map` failed"])
    #expect(findings { $0.replaceError(with: 0) }.map(\.rule) == ["swallowed-failure"])
  }

  /// The source works, and the constant that replaces the failure does not.
  @Test func aConstantInsteadOfWorkIsReported() throws {
    let program = WatchedProgram()
    let (queries, line) = (Emitter<Int>(), #line + 6)
    program.make {
      let work = Signal<Int> { producer in
        producer.send(1)
        producer.finish()
      }
      queries.signal.flatMap { _ in work.map { _ in throw Unauthorized() }.catch { _ in .just(0) } }
        .subscribe { _ in }.store(in: bag)
    }
    let found = program.findings { for number in 0..<12 { queries.send(number) } }
    try #require(found.map(\.rule) == ["swallowed-failure"])
    #expect(found[0].place.line == line)
    // It has got a value, and passed none on.
    #expect(found[0].related.map(\.message) == ["`map` failed"])
  }

  @Test func failuresNoLongerInTheSnapshotAreReported() {
    let found = findings(then: 600) { $0.catch { _ in .just(0) } }
    #expect(found.map(\.rule) == ["swallowed-failure"])
    #expect(found.first?.message.hasPrefix("12 of 12 subscriptions above this `catch` failed") == true)
  }

  @Test("fewer failures are not reported", arguments: [(9, 9), (12, 10), (0, 0)])
  func fewer(requests: Int, failing: Int) {
    #expect(findings(requests: requests, failing: failing) { $0.catch { _ in .just(0) } } == [])
  }

  @Test func timeoutsAreNotReported() throws {
    let program = WatchedProgram()
    let (scheduler, taps) = (VirtualTimeScheduler(), Emitter<Int>())
    program.make {
      taps.signal.flatMapLatest { _ in
        Signal<Int>.never().timeout(after: .seconds(1), on: scheduler).replaceError(with: 0)
      }.subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings {
      for number in 0..<20 {
        taps.send(number)
        try scheduler.advance(by: .seconds(2))
      }
    }
    #expect(found.filter { $0.rule == "swallowed-failure" } == [])
  }

  @Test func retriedFailuresAreNotReported() {
    #expect(findings { $0.retry(1).map { $0 } }.filter { $0.rule == "swallowed-failure" } == [])
  }

  private enum Handled: CaseIterable {
    case endedForGood, renewed, endedByAnotherSource, sourceIsSilent
  }

  @Test("a failure of one value that an `onFailure:` took note of ended the stream", arguments: Handled.allCases)
  private func handledFailure(_ handled: Handled) throws {
    let program = WatchedProgram()
    let (taps, other) = (Emitter<Int>(), Emitter<Int>())
    var line = 0
    func subscribe() {
      line = #line + 4
      let answers = taps.signal.flatMap { number in
        number == 3 ? Signal<Int>.fail(Unauthorized()) : .just(number)
      }
      merge(answers, other.signal).subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
    }
    program.make {
      subscribe()
      if handled == .endedByAnotherSource {
        taps.send(1)
        other.fail(Unauthorized())
      } else {
        for tap in 1...3 { taps.send(tap) }
      }
      if handled == .renewed { subscribe() }
    }
    let found = program.findings {
      for _ in 0..<(handled == .sourceIsSilent ? 4 : 5) { taps.send(4) }
    }
    guard handled == .endedForGood else { return #expect(found == []) }
    try #require(found.map(\.rule) == ["swallowed-failure"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "a failure, Unauthorized(), ended this subscription after 2 values; `emitter` keeps sending: 5 values since, without a subscriber here"
    )
    #expect(found[0].related.map(\.message) == ["`fail` failed", "`emitter` keeps sending"])
  }
}
