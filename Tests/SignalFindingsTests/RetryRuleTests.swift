import SignalFindings
import SignalGraph
import Signals
import Synchronization
import Testing

@Suite("retry-storm, timeout") struct RetryRuleTests {
  private struct Broken: Error {}
  private let bag = DisposeBag()

  /// What is found when a hundred seconds pass in ten.
  private func findings(_ make: (VirtualTimeScheduler) -> Void, while body: () -> Void = {}) throws -> [Finding] {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    program.make { make(scheduler) }
    return try program.findings {
      body()
      try scheduler.advance(by: .seconds(100))
    }
  }

  @Test func aRetryWithoutRestIsFound() throws {
    let line = #line + 3
    let found = try findings { scheduler in
      Signal.timer(after: .milliseconds(100), on: scheduler).map { () throws -> Int in throw Broken() }
        .retry()
        .subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["retry-storm"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message == "this `retry` tried 1000 times in 10 s, because its upstream fails repeatedly")
    #expect(found[0].related.map(\.place.line) == [line - 1])
  }

  @Test func aRetryThatRestsOrSucceedsIsNotFound() throws {
    let numbers = Emitter<Int>()
    let found = try findings { scheduler in
      Signal<Int>.fail(Broken()).retry(after: .exponential(first: .seconds(1), limit: .seconds(60)), on: scheduler)
        .subscribe { _ in }.store(in: bag)
      Signal.timer(after: .seconds(5), on: scheduler).map { () throws -> Int in throw Broken() }.retry()
        .subscribe { _ in }.store(in: bag)
      numbers.signal.retry().subscribe { _ in }.store(in: bag)
      // Each of these fails, and nobody retries.
      numbers.signal.flatMap { _ in Signal<Int>.fail(Broken()).catch { _ in .just(0) } }.subscribe { _ in }.store(
        in: bag)
    } while: {
      for value in 0..<200 { numbers.send(value) }
    }
    #expect(found.map(\.rule) == ["swallowed-failure"])
  }

  @Test func requestsThatRetryOnceEachAreNoStorm() throws {
    let requests = Emitter<Int>()
    let attempts = Atomic(0)
    let found = try findings { _ in
      requests.signal.flatMap { number in
        Signal<Int>.deferred {
          attempts.add(1, ordering: .relaxed).newValue.isMultiple(of: 2) ? .just(number) : .fail(Broken())
        }.retry(1)
      }.subscribe { _ in }.store(in: bag)
    } while: {
      for number in 0..<400 { requests.send(number) }
    }
    #expect(attempts.load(ordering: .relaxed) == 800)
    #expect(found == [])
  }

  /// What is found when subscriptions are made one after the other, each of them for ten seconds.
  /// Each waits long enough; together they try 50 times a second.
  @Test func manyThatRestAreNoStorm() throws {
    let found = try findings { scheduler in
      for _ in 0..<100 {
        Signal<Int>.fail(Broken()).retry(after: .constant(.seconds(2)), on: scheduler).subscribe { _ in }.store(in: bag)
      }
    }
    #expect(found == [])
  }

  private func findingsOfTimeouts(_ make: (Int, VirtualTimeScheduler) -> Subscription) throws -> [Finding] {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    return try program.findings {
      for number in 0..<10 {
        let subscription = make(number, scheduler)
        try scheduler.advance(by: .seconds(10))
        subscription.dispose()
      }
    }
  }

  @Test func aTimeoutThatAlwaysFiresIsFound() throws {
    let line = #line + 2
    let found = try findingsOfTimeouts { _, scheduler in
      Signal<Int>.never().timeout(after: .seconds(5), on: scheduler).subscribe(onValue: { _ in }, onFailure: { _ in })
    }
    try #require(found.map(\.rule) == ["timeout"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "each of the last 10 subscriptions ended here without a value: no value came for 5 s")
    #expect(found[0].related.map(\.message) == ["nothing came from `never`"])
  }

  /// The default description of a failure is its type.
  @Test func timeoutWithoutShownValuesIsReported() {
    var graph = SampleGraph()
    graph.define("timeout", line: 1, ends: EndCounts(failed: 40))
    graph.add(1, line: 1, state: .failed, failure: "TimeoutError")
    let found = Rules.findings(in: Observation(graph.snapshot))
    #expect(
      found.map(\.message) == ["each of the last 40 subscriptions ended here without a value: no value came in time"])
  }

  @Test func timeoutOfAnEmitterIsADeadline() throws {
    let touches = Emitter<Int>()
    let found = try findingsOfTimeouts { _, scheduler in
      touches.signal.timeout(after: .seconds(5), on: scheduler).subscribe(onValue: { _ in }, onFailure: { _ in })
    }
    #expect(found == [])
  }

  @Test func aTimeoutThatFiresNowAndThenOrAfterValuesIsNotFound() throws {
    let source = Emitter<Int>()
    let nowAndThen = try findingsOfTimeouts { number, scheduler in
      let answer = Signal.timer(after: .seconds(number < 8 ? 6 : 1), on: scheduler)
      return answer.timeout(after: .seconds(5), on: scheduler).subscribe(onValue: { _ in }, onFailure: { _ in })
    }
    #expect(nowAndThen == [])
    let afterValues = try findingsOfTimeouts { _, scheduler in
      let subscription = source.signal.timeout(after: .seconds(5), on: scheduler)
        .subscribe(onValue: { _ in }, onFailure: { _ in })
      source.send(1)
      return subscription
    }
    #expect(afterValues == [])
  }

  @Test(arguments: [20, 400]) func aCatchThatRepeatsItselfIsFound(milliseconds: Int) throws {
    struct Down: Error {}
    let (bag, program, scheduler) = (DisposeBag(), WatchedProgram(), VirtualTimeScheduler())
    let line = #line + 4
    program.make {
      @Sendable func open() -> Signal<Int> {
        Signal.timer(after: .milliseconds(milliseconds), on: scheduler).map { _ throws -> Int in throw Down() }
          .catch { _ in open() }
      }
      open().subscribe { _ in }.store(in: bag)
    }
    try scheduler.advance(by: .seconds(1))
    let found = try program.findings { try scheduler.advance(by: .seconds(10)) }
    // Slowly, more and more are nested all the same, and all fail.
    #expect(found.map(\.rule) == (milliseconds == 20 ? ["retry-storm"] : ["growth", "swallowed-failure"]))
    guard milliseconds == 20, let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(
      first.message
        == "this `catch` replaced a failure by the same signal again 500 times in 10 s, and 550 are nested")
  }

  private enum Replaced: CaseIterable {
    case ended, endedByPrefix, inner, renewed, sourceIsSilent
  }

  @Test(arguments: Replaced.allCases) private func aReplacementThatEndsAStreamIsFound(_ replaced: Replaced) throws {
    struct Bad: Error {}
    let (bag, program) = (DisposeBag(), WatchedProgram())
    let raw = program.make { Emitter<Int>() }
    let line = #line + 4
    program.make {
      func weights() -> Signal<String> {
        let checked = raw.signal.map { value throws in if value == 9 { throw Bad() } else { return "\(value)" } }
        return (replaced == .endedByPrefix ? checked.prefix(7) : checked).replaceError(with: "--")
      }
      let shown =
        replaced == .inner
        ? raw.signal.flatMap { value in Signal.just(value).map { _ in throw Bad() }.replaceError(with: "--") }
        : weights()
      shown.subscribe { _ in }.store(in: bag)
      for value in 1...9 { raw.send(value) }
      if replaced == .renewed { weights().subscribe { _ in }.store(in: bag) }
    }
    let found = program.findings { if replaced != .sourceIsSilent { for value in 10..<19 { raw.send(value) } } }
    #expect(
      found.map(\.rule)
        == (replaced == .ended ? ["swallowed-failure"] : replaced == .inner ? ["swallowed-failure"] : []))
    guard replaced == .ended, let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(
      first.message
        == "this `replaceError` replaced a failure, Bad(), after 9 values, which ended the subscription; `emitter` keeps sending: 9 values since, without a subscriber here"
    )
  }

  private enum Fallback: CaseIterable {
    case ended, renewed, inFlatMap, sourceIsSilent, another
  }

  @Test(arguments: Fallback.allCases) private func aFallbackThatEndsAStreamIsFound(_ fallback: Fallback) throws {
    let (bag, program, scheduler) = (DisposeBag(), WatchedProgram(), VirtualTimeScheduler())
    let meter = program.make { Emitter<Int>() }
    let line = #line + 4
    try program.make {
      @Sendable func values() -> Signal<Int> {
        meter.signal.map { $0 * 2 }
          .timeout(after: .seconds(1), on: scheduler, fallback: fallback == .another ? .never() : .just(0))
      }
      let shown = fallback == .inFlatMap ? Signal.just(1).flatMap { _ in values() } : values()
      shown.subscribe { _ in }.store(in: bag)
      for value in 0..<9 {
        meter.send(value)
        try scheduler.advance(by: .milliseconds(100))
      }
      try scheduler.advance(by: .seconds(3))
      if fallback == .renewed { values().subscribe { _ in }.store(in: bag) }
    }
    let found = program.findings { if fallback != .sourceIsSilent { for value in 0..<9 { meter.send(value) } } }
    #expect(found.map(\.rule) == (fallback == .ended ? ["timeout"] : []))
    guard let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(
      first.message
        == "this `timeout` has switched to its fallback, which ended the subscription; `emitter` keeps sending: 9 values since, without a subscriber here"
    )
  }

  @Test(
    "of most only the count is left", arguments: [(EndCounts(failed: 40), ["timeout"]), (EndCounts(finished: 40), [])])
  func whatIsForgottenCounts(ends: EndCounts, rules: [String]) {
    var graph = SampleGraph()
    graph.define("timeout", line: 1, ends: ends)
    graph.add(1, line: 1, state: .failed, failure: "no value came for 1.0 seconds")
    #expect(Rules.findings(in: Observation(graph.snapshot)).map(\.rule) == rules)
  }

  @Test func aFailureInAFlatMapThatACatchBelowReplacesIsFound() throws {
    struct Bad: Error {}
    let (bag, program) = (DisposeBag(), WatchedProgram())
    let taps = program.make { Emitter<Int>() }
    program.make {
      taps.signal.flatMap { tap in tap == 9 ? Signal<Int>.fail(Bad()) : .just(tap) }.catch { _ in .just(0) }
        .subscribe { _ in }.store(in: bag)
      for tap in 1...9 { taps.send(tap) }
    }
    let found = program.findings { for tap in 10..<19 { taps.send(tap) } }
    #expect(found.map(\.rule) == ["swallowed-failure"])
  }

  @Test(arguments: [(1_000, true), (999, false)]) func aRepeatOfWhatEndsAtOnceIsFound(ends: Int, isFound: Bool) throws {
    let (bag, program, starts) = (DisposeBag(), WatchedProgram(), Emitter<Int>())
    let line = #line + 3
    program.make {
      let once = Signal.deferred { starts.signal.first() }
      once.repeat()
        .subscribe { _ in }.store(in: bag)
    }
    let found = program.findings { for start in 0..<ends { starts.send(start) } }
    #expect(found.map(\.rule) == (isFound ? ["retry-storm"] : []))
    guard isFound, let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(first.message == "this `repeat` subscribed 1000 times in 10 s, because its upstream ends at once")
  }
}
