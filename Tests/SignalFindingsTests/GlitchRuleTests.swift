import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("glitch") struct GlitchRuleTests {
  private let bag = DisposeBag()

  /// What is found when a price is sent ten times.
  private func findings(_ prices: Int = 10, _ make: (Emitter<Int>) -> Void) -> [Finding] {
    let program = WatchedProgram()
    let price = program.make {
      let price = Emitter<Int>()
      make(price)
      price.send(0)
      return price
    }
    return program.findings { for value in 0..<prices { price.send(value) } }
  }

  @Test func aSourceThatComesByTwoWaysIsFound() throws {
    var line = 0
    let found = findings { price in
      let gross = price.signal.map { $0 * 2 }
      gross.combineLatest(price.signal).subscribe { _ in }.store(in: bag); line = #line
    }
    try #require(found.map(\.rule) == ["glitch"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "`emitter` reaches this `combineLatest` by 2 ways, so its 10 values gave 20: between them a new value stands "
        + "beside an old one")
    #expect(found[0].related.map(\.message) == ["`emitter` is here"])
    #expect(found[0].nodes.count == 1)
  }

  @Test func theNearestSharedSourceIsNamed() throws {
    let found = findings { price in
      let shared = price.signal.map { $0 + 1 }.named("net").share()
      combineLatest(shared.map { $0 * 2 }, shared.filter { $0 >= 0 }, shared.scan(0, +)).subscribe { _ in }.store(
        in: bag)
    }
    try #require(found.map(\.rule) == ["glitch"])
    #expect(found[0].message.hasPrefix("`share` reaches this `combineLatest` by 3 ways, so its 10 values gave 30"))
  }

  @Test func theSameSourceTwiceIsFound() {
    #expect(findings { $0.signal.combineLatest($0.signal).subscribe { _ in }.store(in: bag) }.map(\.rule) == ["glitch"])
  }

  @Test func aThirdInputThatIsQuietHidesNothing() {
    let rate = Property(1)
    let found = findings { price in
      let taxed = price.signal.combineLatest(rate.signal).map { $0 * $1 }
      taxed.combineLatest(price.signal).subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["glitch"])
  }

  @Test func aFewValuesTellNothing() {
    #expect(findings(4) { $0.signal.combineLatest($0.signal).subscribe { _ in }.store(in: bag) } == [])
  }

  @Test func oneSnapshotTellsNothing() {
    let program = WatchedProgram()
    program.make {
      let price = Emitter<Int>()
      price.signal.combineLatest(price.signal).subscribe { _ in }.store(in: bag)
      for value in 0..<10 { price.send(value) }
    }
    #expect(Rules.findings(in: Observation(program.recorder.snapshot())) == [])
  }

  @Test func twoSourcesAreNoGlitch() {
    let program = WatchedProgram()
    let (price, rate) = (Emitter<Int>(), Emitter<Int>())
    program.make { price.signal.combineLatest(rate.signal.map { $0 + 1 }).subscribe { _ in }.store(in: bag) }
    let found = program.findings {
      for value in 0..<10 {
        price.send(value)
        rate.send(value)
      }
    }
    #expect(found == [])
  }

  @Test func healthyWaysAreNotFound() {
    let scheduler = VirtualTimeScheduler()
    let found = findings { price in
      let signal = price.signal
      // One map, one value.
      signal.map { ($0, $0 * 2) }.subscribe { _ in }.store(in: bag)
      // In step.
      zip(signal, signal.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
      // Side by side.
      merge(signal, signal.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
      signal.withLatest(from: signal.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
      // Later.
      signal.combineLatest(signal.delay(for: .seconds(1), on: scheduler)).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.receive(on: scheduler)).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.flatMapLatest { .just($0) }).subscribe { _ in }.store(in: bag)
      // Now and then.
      signal.combineLatest(signal.filter { $0 % 5 == 0 }).subscribe { _ in }.store(in: bag)
      // Settled below.
      signal.combineLatest(signal.map { $0 * 2 }).map { $0 + $1 }.debounce(for: .zero, on: scheduler)
        .subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.map { $0 * 2 }).debounce(for: .zero, on: scheduler).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.map { $0 * 2 }).filter { $1 == $0 * 2 }.subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func propertiesThatAreCombinedAreNotFound() {
    let program = WatchedProgram()
    let price = program.make {
      let price = Property(0)
      price.combined(with: price.map { $0 * 2 }).signal.subscribe { _ in }.store(in: bag)
      return price
    }
    #expect(program.findings { for value in 0..<10 { price.value = value } } == [])
  }

  @Test func aClickThatTakesTheLatestStateIsNoGlitch() {
    let program = WatchedProgram()
    let (state, clicks) = (Property(0), Emitter<Int>())
    program.make {
      state.signal.combineLatest(clicks.signal.withLatest(from: state.signal)).subscribe { _ in }.store(in: bag)
    }
    let found = program.findings {
      for value in 0..<10 {
        state.value = value
        clicks.send(value)
      }
    }
    #expect(found == [])
  }

  /// What an operator only keeps until it is asked is no way by which it is caused, and the way past it is one.
  @Test func aWayThroughWhatTakesTheLatestIsFollowed() {
    let settings = Property(0)
    let found = findings { price in
      price.signal.withLatest(from: settings.signal).combineLatest(price.signal).subscribe { price, _ in
        settings.value = price.0
      }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["glitch"])
    #expect(
      findings { price in
        settings.signal.withLatest(from: price.signal.prepend(0)).combineLatest(price.signal).subscribe { _ in }
          .store(in: bag)
      } == [])
  }

  @Test func theRemediesGiveOneValueForEachOfTheSource() throws {
    let scheduler = VirtualTimeScheduler()
    let price = Emitter<Int>()
    let (settled, inStep) = (Property<[Int]>([]), Property<[Int]>([]))
    let tax = price.signal.map { $0 * 2 }
    price.signal.combineLatest(tax).debounce(for: .zero, on: scheduler)
      .subscribe { settled.value.append($0 + $1) }.store(in: bag)
    zip(price.signal, tax).subscribe { inStep.value.append($0 + $1) }.store(in: bag)
    for value in 1...3 {
      price.send(value)
      try scheduler.advance()
    }
    #expect(settled.value == [3, 6, 9])
    #expect(inStep.value == [3, 6, 9])
  }

  // MARK: With causes

  /// What is found in one snapshot when a price is sent a few times while causes are noted.
  private func exactFindings(_ prices: Int = 3, _ make: (Emitter<Int>) -> Void) -> [Finding] {
    let recorder = GraphRecorder()
    let price = recorder.record {
      let price = Emitter<Int>()
      make(price)
      return price
    }
    price.send(0)
    recorder.traceHandlers(true)
    for value in 0..<prices { price.send(value) }
    return Rules.findings(in: Observation(recorder.snapshot())).filter { $0.rule == "glitch" }
  }

  @Test func causesTellItAfterTwoValues() throws {
    let found = exactFindings(2) { price in
      let gross = price.signal.map { $0 * 2 }
      gross.combineLatest(price.signal).map { $0 + $1 }.subscribe { _ in }.store(in: bag)
    }
    try #require(found.count == 1)
    #expect(
      found[0].message
        == "`emitter` reaches this `combineLatest` by 2 ways, so each of its last 2 values gave 2 here: "
        + "between them a new value stands beside an old one")
    #expect(exactFindings(1) { $0.signal.combineLatest($0.signal).subscribe { _ in }.store(in: bag) } == [])
  }

  @Test func causesTellTheNearestSharedSource() throws {
    let found = exactFindings { price in
      let shared = price.signal.map { $0 + 1 }.share()
      combineLatest(shared.map { $0 * 2 }, shared.filter { $0 >= 0 }, shared.scan(0, +)).subscribe { _ in }.store(
        in: bag)
    }
    try #require(found.count == 1)
    #expect(
      found[0].message.hasPrefix("`share` reaches this `combineLatest` by 3 ways, so each of its last 3 values gave 3"))
  }

  @Test func aWayThroughABoundPropertyIsFound() throws {
    let tax = Property(0)
    let found = exactFindings { price in
      price.signal.map { $0 / 5 }.bind(to: tax).store(in: bag)
      price.signal.combineLatest(tax.signal).subscribe { _ in }.store(in: bag)
    }
    try #require(found.count == 1)
    #expect(found[0].message.hasPrefix("`emitter` reaches this `combineLatest` by 2 ways"))
  }

  /// What one signal is bound to is not derived from one property.
  @Test func combinedBoundPropertiesAreFound() throws {
    let (net, tax) = (Property(0), Property(0))
    let found = exactFindings { price in
      price.signal.map { $0 * 4 / 5 }.bind(to: net).store(in: bag)
      price.signal.map { $0 / 5 }.bind(to: tax).store(in: bag)
      net.combined(with: tax).signal.subscribe { _ in }.store(in: bag)
    }
    try #require(found.count == 1)
    #expect(found[0].message.hasPrefix("`emitter` reaches this `combined` by 2 ways"))
    #expect(found[0].remedy.contains("derive properties with `map` instead of binding them"))
  }

  @Test func aPropertyThatSeveralHandlersSetIsNoSecondWay() {
    let found = exactFindings(20) { query in
      let isLoading = Property(false)
      query.signal.subscribe { _ in isLoading.value = true }.store(in: bag)
      query.signal.map { $0 + 1 }.subscribe { _ in isLoading.value = false }.store(in: bag)
      query.signal.combineLatest(isLoading.signal).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func aSourceThatIsWrittenTwiceIsFound() {
    #expect(exactFindings { $0.signal.combineLatest($0.signal).subscribe { _ in }.store(in: bag) }.count == 1)
  }

  @Test func causesFindNothingInHealthyWays() {
    let scheduler = VirtualTimeScheduler()
    let found = exactFindings(10) { price in
      let signal = price.signal
      signal.map { ($0, $0 * 2) }.subscribe { _ in }.store(in: bag)
      zip(signal, signal.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
      merge(signal, signal.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
      signal.withLatest(from: signal.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.delay(for: .seconds(1), on: scheduler)).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.receive(on: scheduler)).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.filter { $0 % 5 == 0 }).subscribe { _ in }.store(in: bag)
      merge(signal, signal).combineLatest(Property(0).signal).subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.map { $0 * 2 }).map { $0 + $1 }.debounce(for: .zero, on: scheduler)
        .subscribe { _ in }.store(in: bag)
      signal.combineLatest(signal.map { $0 * 2 }).filter { $1 == $0 * 2 }.subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }
}
