import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("order-dependent") struct OrderDependentRuleTests {
  private let bag = DisposeBag()
  private let scheduler = VirtualTimeScheduler()
  private let other = VirtualTimeScheduler()

  /// What is found when a source sends ten values, each two seconds after the one before.
  private func findings(_ values: Int = 10, _ make: (Emitter<Int>) -> Void) throws -> [Finding] {
    let program = WatchedProgram()
    let source = program.make {
      let source = Emitter<Int>()
      make(source)
      return source
    }
    let found = try program.findings(for: Double(2 * values)) {
      for value in 0..<values {
        source.send(value)
        try scheduler.advance(by: .seconds(2))
        try other.advance(by: .seconds(2))
      }
    }
    return found
  }

  private func later(_ signal: Signal<Int>, _ milliseconds: Int = 300) -> Signal<Int> {
    signal.delay(for: .milliseconds(milliseconds), on: scheduler)
  }

  private func every(_ milliseconds: Int) -> Signal<Int> {
    .interval(every: .milliseconds(milliseconds), on: scheduler)
  }

  @Test func twoDelaysOfOneSourceThatAreMergedAreFound() throws {
    var (first, second, line) = (0, 0, 0)
    let found = try findings { source in
      let shown = source.signal.delay(for: .milliseconds(300), on: scheduler).map { "\($0)" }; first = #line
      let hidden = source.signal.map { _ in "" }.debounce(for: .milliseconds(300), on: scheduler); second = #line
      shown.merge(with: hidden).subscribe { _ in }.store(in: bag); line = #line
    }
    try #require(found.map(\.rule) == ["order-dependent"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "values of `emitter` reach this `merge` twice at the same moment, 300 ms later on `virtual`, by `delay` at "
        + "OrderDependentRuleTests.swift:\(first) and `debounce` at OrderDependentRuleTests.swift:\(second): the code does not specify which comes first"
    )
    #expect(found[0].related.map(\.place.line) == [first, second])
    #expect(found[0].nodes.count == 1)
  }

  @Test func oneDelayThatIsTakenTwiceIsFound() throws {
    let found = try findings { source in
      let late = later(source.signal)
      late.withLatest(from: late.map { $0 * 2 }).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["order-dependent"])
    #expect(found[0].message.contains(" twice: the code does not specify"))
  }

  @Test(arguments: ["combineLatest", "withLatest", "sample", "collect", "merge"])
  func aReaderWhoseResultDependsOnTheOrderIsFound(_ kind: String) throws {
    let found = try findings { source in
      let (one, other) = (later(source.signal), later(source.signal.map { $0 * 2 }))
      let read: Signal<Int> =
        switch kind {
        case "combineLatest": one.combineLatest(other).map { $0 + $1 }
        case "withLatest": one.withLatest(from: other).map { $0 + $1 }
        case "sample": one.sample(by: other)
        case "collect": one.collect(by: other).map(\.count)
        default: one.merge(with: other)
        }
      read.subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  @Test func theTimesOfSeveralOperatorsAreAddedUp() throws {
    let found = try findings { source in
      let steps = later(later(source.signal, 100).map { $0 + 1 }, 200)
      steps.withLatest(from: later(source.signal)).subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  @Test func hopsAreFollowedWhereBothWaysHaveThem() throws {
    let found = try findings { source in
      let shown = later(source.signal).receive(on: other)
      shown.merge(with: later(source.signal.map { $0 * 2 }).receive(on: other)).subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  @Test func aSharedSourceInBetweenIsNamed() throws {
    let found = try findings { source in
      let shared = later(source.signal.map { $0 + 1 }, 50).share()
      merge(later(shared.filter { $0 >= 0 }), later(shared).map { -$0 }).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["order-dependent"])
    #expect(found[0].message.hasPrefix("values of `share` reach this `merge` twice at the same moment, 300 ms later"))
  }

  @Test func pausesOfFewValuesAreCounted() throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Emitter<Int>(), scheduler)
    program.make {
      let searched = source.signal.debounce(for: .milliseconds(300), on: scheduler)
      let cleared = source.signal.debounce(for: .milliseconds(300), on: scheduler).map { _ in 0 }
      searched.merge(with: cleared).subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings {
      for value in 0..<40 {
        source.send(value)
        try scheduler.advance(by: value % 10 == 9 ? .seconds(1) : .milliseconds(100))
      }
    }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  @Test func twoHandlersThatSetOnePropertyAreFound() throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Emitter<Int>(), scheduler)
    let state = program.make { Property("") }
    var line = 0
    program.make {
      later(source.signal).subscribe { _ in state.value = "shown" }.store(in: bag)
      later(source.signal).subscribe { _ in state.value = "hidden" }.store(in: bag); line = #line
      state.signal.subscribe { _ in }.store(in: bag)
    }
    program.recorder.traceHandlers(true)
    let found = try program.findings {
      for value in 0..<10 {
        source.send(value)
        try scheduler.advance(by: .seconds(1))
      }
    }
    try #require(found.map(\.rule) == ["order-dependent"])
    #expect(found[0].place.line == line)
    #expect(found[0].message.contains("reach this `property` twice at the same moment"))
  }

  /// One of the two ways leads through a property that a handler sets: always, or at every third value.
  @Test(arguments: [1, 3]) func aWayThroughAPropertyThatAHandlerSetsIsFollowed(each step: Int) throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Emitter<Int>(), scheduler)
    let state = program.make { Property(0) }
    var line = 0
    program.make {
      source.signal.subscribe { if $0 % step == 0 { state.value = $0 } }.store(in: bag)
      let shown = later(state.signal.dropFirst())
      shown.merge(with: later(source.signal.map { -$0 })).subscribe { _ in }.store(in: bag); line = #line
    }
    program.recorder.traceHandlers(true)
    let found = try program.findings {
      for value in 0..<20 {
        source.send(value)
        try scheduler.advance(by: .seconds(1))
      }
    }
    try #require(found.map(\.rule) == (step == 1 ? ["order-dependent"] : []))
    if let found = found.first {
      #expect(found.place.line == line)
      #expect(found.message.contains("values of `emitter` reach this `merge` twice at the same moment"))
    }
  }

  private enum Setter: CaseIterable {
    case later, earlier, sameValue, behindHop
  }

  /// A property that a later subscription sets with the value that is to be read with it.
  @Test(arguments: Setter.allCases) private func aPropertyThatIsReadBeforeItIsSetIsFound(_ setter: Setter) throws {
    let program = WatchedProgram()
    let scheduler = scheduler
    let (source, mode) = program.make { (Emitter<Int>(), Property(0)) }
    var (line, setting) = (0, 0)
    let found = try program.findings {
      let values = setter == .behindHop ? source.signal.receive(on: scheduler) : source.signal
      func set() {
        if setter == .sameValue {
          values.filter { $0 > 0 }.bind(to: mode).store(in: bag)
        } else {
          values.map { $0 * 2 }.bind(to: mode).store(in: bag); setting = #line
        }
      }
      if setter == .earlier { set() }
      source.signal.map { $0 + 1 }.withLatest(from: mode.signal).subscribe { _ in }.store(in: bag); line = #line
      if setter != .earlier { set() }
      for value in 0..<9 {
        source.send(value)
        try scheduler.advance(by: .seconds(1))
      }
    }
    #expect(found.map { $0.rule } == (setter == .later ? ["order-dependent"] : []))
    guard let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(first.related.map { $0.place.line } == [setting])
    #expect(
      first.message.hasPrefix("this `withLatest(from:)` reads `property` before the same value of `emitter` sets it"))
  }

  /// What handlers send is counted only while somebody watches, who may come late.
  @Test(arguments: [true, false]) func aPropertyIsFoundHoweverLateItIsWatched(isOnlySetter: Bool) throws {
    let program = WatchedProgram()
    let (source, mode) = program.make { (Emitter<Int>(), Property(0)) }
    program.make {
      source.signal.withLatest(from: mode.signal).subscribe { _ in }.store(in: bag)
      source.signal.map { $0 * 2 }.subscribe { mode.value = $0 }.store(in: bag)
    }
    for value in 0..<200 { source.send(value) }
    program.recorder.traceHandlers(true)
    let found = program.findings {
      for value in 0..<10 {
        source.send(value)
        if !isOnlySetter { mode.value = 0 }
      }
    }
    program.recorder.traceHandlers(false)
    #expect(found.map(\.rule) == (isOnlySetter ? ["order-dependent"] : []))
  }

  @Test func twoIntervalsOfOnePeriodAreFound() throws {
    var (first, second) = (0, 0)
    let program = WatchedProgram()
    program.make {
      let ticks = Signal.interval(every: .seconds(1), on: scheduler).map { $0 * 2 }; first = #line
      let tocks = Signal.interval(every: .seconds(1), on: scheduler); second = #line
      ticks.withLatest(from: tocks).subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings { try scheduler.advance(by: .seconds(10)) }
    try #require(found.map(\.rule) == ["order-dependent"])
    #expect(
      found[0].message
        == "two values are due at this `withLatest(from:)` at the same moment, every 1 s on `virtual`, by `interval` at "
        + "OrderDependentRuleTests.swift:\(first) and `interval` at OrderDependentRuleTests.swift:\(second): the code does not specify which comes first"
    )
  }

  @Test(arguments: ["withLatest", "sample", "combineLatest", "merge", "mergeToState", "delayed", "sampled", "early"])
  func intervalsWhoseOrderIsKeptAreFound(_ kind: String) throws {
    let program = WatchedProgram()
    let scheduler = scheduler
    let state = program.make { Property(0) }
    program.make {
      let one = every(1_000)
      let other = every(1_000)
      let read: Signal<Int> =
        switch kind {
        case "withLatest": one.withLatest(from: other).map { $0 + $1 }
        case "sample": one.sample(by: other)
        case "combineLatest": one.combineLatest(Signal.interval(every: .seconds(1), on: scheduler)).map { $0 + $1 }
        case "merge":
          one.map { _ in 2 }.merge(with: .interval(every: .seconds(1), on: scheduler)).scan(1) { $0 &* $1 &+ 1 }
        case "mergeToState": one.map { _ in 2 }.merge(with: .interval(every: .seconds(1), on: scheduler))
        case "sampled": one.withLatest(from: every(100).sample(every: .seconds(1), on: scheduler)).map { $0 + $1 }
        case "delayed": one.withLatest(from: later(other, 3_000)).map { $0 + $1 }
        default:
          one.withLatest(from: .interval(every: .seconds(1), on: scheduler, after: .zero)).map { $0 + $1 }
        }
      read.subscribe { state.value = $0 }.store(in: bag)
      state.signal.subscribe { _ in }.store(in: bag)
    }
    program.recorder.traceHandlers(true)
    let found = try program.findings { try scheduler.advance(by: .seconds(10)) }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  @Test func theValueOfOnePeriodBeforeIsFound() throws {
    let program = WatchedProgram()
    program.make {
      let ticks = every(500).share()
      ticks.withLatest(from: later(ticks, 1_000)).subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings { try scheduler.advance(by: .seconds(10)) }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  @Test func oneSnapshotIsEnough() throws {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make {
      later(source.signal).withLatest(from: later(source.signal)).subscribe { _ in }.store(in: bag)
    }
    for value in 0..<5 { source.send(value) }
    try scheduler.advance(by: .seconds(1))
    for time in [Observation.Time.real, .virtual, .none] {
      #expect(
        Rules.findings(in: Observation(program.recorder.snapshot(), time: time)).map(\.rule) == ["order-dependent"])
    }
  }

  @Test func aSubscriptionToAnOldSourceIsFoundWhenItIsWatched() throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Emitter<Int>(), scheduler)
    program.make { source.signal.subscribe { _ in }.store(in: bag) }
    for value in 0..<1_000 { source.send(value) }
    program.make { later(source.signal).withLatest(from: later(source.signal)).subscribe { _ in }.store(in: bag) }
    let found = try program.findings {
      for value in 0..<10 {
        source.send(value)
        try scheduler.advance(by: .seconds(1))
      }
    }
    #expect(found.map(\.rule) == ["order-dependent"])
  }

  // MARK: What is healthy

  @Test func whatMeetsNowhereIsNotFound() throws {
    let found = try findings { source in
      let signal = source.signal
      // In step.
      later(signal).zip(later(signal)).subscribe { _ in }.store(in: bag)
      // One deadline.
      let late = later(signal).share()
      late.merge(with: late.map { -$0 }).subscribe { _ in }.store(in: bag)
      late.withLatest(from: late.map { -$0 }).subscribe { _ in }.store(in: bag)
      // One after the other.
      later(signal).merge(with: later(signal, 301)).subscribe { _ in }.store(in: bag)
      later(signal).combineLatest(signal).subscribe { _ in }.store(in: bag)
      // The one or the other.
      later(signal.filter { $0 % 2 == 0 }).merge(with: later(signal.filter { $0 % 2 == 1 })).subscribe { _ in }
        .store(in: bag)
      later(signal).filter { $0 % 2 == 0 }.merge(with: later(signal).filter { $0 % 2 == 1 }).subscribe { _ in }
        .store(in: bag)
      let (even, odd) = (signal.filter { $0 % 2 == 0 }, signal.filter { $0 % 2 == 1 })
      even.debounce(for: .milliseconds(300), on: scheduler)
        .merge(with: odd.debounce(for: .milliseconds(300), on: scheduler)).subscribe { _ in }.store(in: bag)
      // The first one, and what comes then.
      later(signal.prefix(3)).merge(with: later(signal.dropFirst(3))).subscribe { _ in }.store(in: bag)
      // On two schedulers.
      later(signal).merge(with: signal.delay(for: .milliseconds(300), on: other)).subscribe { _ in }.store(in: bag)
      later(signal).receive(on: other).merge(with: later(signal)).subscribe { _ in }.store(in: bag)
      later(signal.receive(on: other)).merge(with: later(signal)).subscribe { _ in }.store(in: bag)
      // No time at all.
      signal.receive(on: scheduler).merge(with: signal.receive(on: scheduler)).subscribe { _ in }.store(in: bag)
      signal.delay(for: .zero, on: scheduler).merge(with: signal.delay(for: .zero, on: scheduler)).subscribe { _ in }
        .store(in: bag)
      // Settled below.
      later(signal).combineLatest(later(signal)).debounce(for: .zero, on: scheduler).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func differentSourcesAreNotFound() throws {
    let program = WatchedProgram()
    let (left, right, scheduler) = (Emitter<Int>(), Property(0), scheduler)
    program.make {
      later(left.signal).combineLatest(later(right.signal)).subscribe { _ in }.store(in: bag)
      later(left.signal).merge(with: later(right.signal)).subscribe { _ in }.store(in: bag)
      later(left.signal).withLatest(from: later(right.signal)).subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings {
      for value in 0..<20 {
        left.send(value)
        right.value = value
        try scheduler.advance(by: .seconds(1))
      }
    }
    #expect(found == [])
  }

  @Test func aPartitionOfAPropertyIsNotFound() throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Property(0), scheduler)
    program.make {
      later(source.signal.filter { $0 % 2 == 0 }).merge(with: later(source.signal.filter { $0 % 2 == 1 }))
        .subscribe { _ in }.store(in: bag)
    }
    for round in 1...4 {
      let found = try program.findings {
        for value in 0..<round * 3 {
          source.value = value + 1
          try scheduler.advance(by: .milliseconds(150))
        }
      }
      #expect(found == [])
    }
  }

  @Test func intervalsThatDoNotMeetOrDoNotMatterAreNotFound() throws {
    let program = WatchedProgram()
    let state = Property(0)
    let scheduler = scheduler
    @Sendable func fetched(_ value: Int) -> Signal<Int> { .just(value).delay(for: .milliseconds(30), on: scheduler) }
    program.make {
      // Two lists of news that are asked for once a second.
      every(1_000).map { "a\($0)" }.merge(with: Signal.interval(every: .seconds(1), on: scheduler).map { "b\($0)" })
        .subscribe { _ in }.store(in: bag)
      // Other periods, other moments, another time.
      every(1_000).withLatest(from: every(700)).subscribe { _ in }.store(in: bag)
      every(1_000).withLatest(from: every(100)).subscribe { _ in }.store(in: bag)
      every(100).sample(by: every(1_000)).subscribe { _ in }.store(in: bag)
      every(1_000).withLatest(from: .interval(every: .seconds(1), on: scheduler, after: .milliseconds(500)))
        .subscribe { _ in }.store(in: bag)
      every(1_000).withLatest(from: later(every(1_000), 200)).subscribe { _ in }.store(in: bag)
      every(1_000).withLatest(from: .interval(every: .seconds(1), on: other)).subscribe { _ in }.store(in: bag)
      every(1_000).withLatest(from: every(1_000).flatMap { fetched($0) }).subscribe { _ in }.store(in: bag)
      // Sensors of one kind.
      let sensors = (0..<3).map { _ in every(250) }
      combineLatest(sensors).map { $0.reduce(0, +) }.subscribe { _ in }.store(in: bag)
      // By turns.
      every(1_000).filter { $0 % 2 == 0 }.merge(
        with: Signal.interval(every: .seconds(1), on: scheduler).filter { $0 % 2 == 1 }
      ).scan(0, +).subscribe { _ in }.store(in: bag)
      // In step.
      every(1_000).zip(every(1_000)).subscribe { state.value = $0 + $1 }.store(in: bag)
      state.signal.subscribe { _ in }.store(in: bag)
    }
    program.recorder.traceHandlers(true)
    #expect(
      try program.findings {
        for _ in 0..<20 {
          try scheduler.advance(by: .milliseconds(500))
          try other.advance(by: .milliseconds(500))
        }
      } == [])
  }

  @Test func samplesThatComeByTurnsAreNotFound() throws {
    let program = WatchedProgram()
    let (left, right, scheduler) = (Emitter<Int>(), Emitter<Int>(), scheduler)
    program.make {
      left.signal.sample(every: .seconds(1), on: scheduler)
        .withLatest(from: right.signal.sample(every: .seconds(1), on: scheduler)).subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings {
      for value in 0..<20 {
        (value % 2 == 0 ? left : right).send(value)
        try scheduler.advance(by: .seconds(1))
      }
    }
    #expect(found == [])
  }

  @Test func handlersThatSetAPropertyByTurnsAreNotFound() throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Emitter<Int>(), scheduler)
    let state = program.make { Property("") }
    program.make {
      later(source.signal).subscribe { if $0 % 2 == 0 { state.value = "even" } }.store(in: bag)
      later(source.signal).subscribe { if $0 % 2 == 1 { state.value = "odd" } }.store(in: bag)
      state.signal.subscribe { _ in }.store(in: bag)
    }
    program.recorder.traceHandlers(true)
    let found = try program.findings {
      for value in 0..<20 {
        source.send(value)
        try scheduler.advance(by: .seconds(1))
      }
    }
    #expect(found == [])
  }

  @Test func intervalsThatBeganAtDifferentTimesAreNotFound() throws {
    let program = WatchedProgram()
    program.make {
      let first = every(1_000).share()
      first.subscribe { _ in }.store(in: bag)
      try? scheduler.advance(by: .milliseconds(300))
      first.withLatest(from: every(1_000)).subscribe { _ in }.store(in: bag)
      let late = every(1_000).subscribed(on: scheduler)
      every(1_000).withLatest(from: late).subscribe { _ in }.store(in: bag)
    }
    #expect(try program.findings { try scheduler.advance(by: .seconds(10)) } == [])
  }

  @Test func oneDeadlineGivesOneOrder() throws {
    let scheduler = VirtualTimeScheduler()
    let source = Emitter<Int>()
    let seen = Property<[String]>([])
    let late = source.signal.delay(for: .milliseconds(300), on: scheduler)
    late.map { ["shown \($0)", "hidden"] }.subscribe { seen.value += $0 }.store(in: bag)
    source.send(1)
    try scheduler.advance(by: .seconds(1))
    #expect(seen.value == ["shown 1", "hidden"])
  }
}
