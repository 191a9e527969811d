import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("starved") struct StarvedRuleTests {
  private let bag = DisposeBag()

  /// What is found when a value comes every 50 milliseconds, so many times.
  private func findings(
    _ values: Int = 120, for seconds: Double = 10, _ make: (Signal<Int>, VirtualTimeScheduler) -> Void
  ) throws -> [Finding] {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    let source = Emitter<Int>()
    program.make { make(source.signal.map { $0 + 1 }, scheduler) }
    return try program.findings(for: seconds) {
      for value in 0..<values {
        source.send(value)
        try scheduler.advance(by: .milliseconds(50))
      }
    }
  }

  @Test func aDebounceWithoutPauseIsFound() throws {
    var line = 0
    let found = try findings { source, scheduler in
      source.debounce(for: .milliseconds(100), on: scheduler).subscribe { _ in }.store(in: bag); line = #line
    }
    try #require(found.map(\.rule) == ["starved"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "this `debounce` got 120 values in 10 s and gave none: they come without the pause that it waits for")
    #expect(found[0].related.map(\.message) == ["the values come from `emitter`"])
  }

  @Test func aSampleWhoseTriggerNeverFiresIsFound() throws {
    let trigger = Emitter<Void>()
    let found = try findings(for: 20) { source, _ in
      source.sample(by: trigger.signal).subscribe { _ in }.store(in: bag)
      source.collect(by: trigger.signal).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["starved", "starved"])
    #expect(
      found[0].message
        == "this `sample(by:)` got 120 values in 20 s and gave none: its trigger `emitter` has never fired")
    #expect(found[0].related.count == 2)
  }

  @Test func whatWaitsForATimeThatNeverComesIsFoundAfterAMinute() throws {
    let stopped = VirtualTimeScheduler()
    let make: (Signal<Int>, VirtualTimeScheduler) -> Void = { source, _ in
      source.audit(for: .seconds(1), on: stopped).subscribe { _ in }.store(in: bag)
      source.sample(every: .seconds(1), on: stopped).subscribe { _ in }.store(in: bag)
    }
    #expect(try findings(for: 10, make) == [])
    #expect(try findings(for: 70, make).map(\.rule) == ["starved", "starved"])
  }

  @Test func whatGivesValuesIsNotFound() throws {
    let trigger = Emitter<Void>()
    let found = try findings(for: 70) { source, scheduler in
      source.debounce(for: .milliseconds(20), on: scheduler).subscribe { _ in }.store(in: bag)
      source.throttle(for: .seconds(1), on: scheduler, latest: true).subscribe { _ in }.store(in: bag)
      source.audit(for: .seconds(1), on: scheduler).subscribe { _ in }.store(in: bag)
      source.sample(every: .seconds(1), on: scheduler).subscribe { _ in }.store(in: bag)
      source.delay(for: .seconds(60), on: scheduler).subscribe { _ in }.store(in: bag)
      source.filter { $0 < 0 }.debounce(for: .seconds(1), on: scheduler).subscribe { _ in }.store(in: bag)
      source.ignoreValues().subscribe { (_: Int) in }.store(in: bag)
      trigger.signal.withLatest(from: source).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test(
    "too few values, and too short a look, tell nothing", arguments: [(99, 4.0), (19, 10.0), (120, 0.5)])
  func tooLittle(values: Int, seconds: Double) throws {
    let found = try findings(values, for: seconds) { source, scheduler in
      source.debounce(for: .milliseconds(100), on: scheduler).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  /// A watchdog is meant to be silent, and who saves what is typed waits for the typist.
  @Test(arguments: [
    (Duration.seconds(5), 600.0, false), (.seconds(2), 600, false), (.seconds(1), 20, false), (.seconds(1), 70, true),
  ])
  func longPausesAreGivenTime(pause: Duration, seconds: Double, isFound: Bool) throws {
    let found = try findings(for: seconds) { source, scheduler in
      source.debounce(for: pause, on: scheduler).subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == (isFound ? ["starved"] : []))
  }

  @Test func aTriggerThatWasNotUsedForAMomentIsNotFound() throws {
    let trigger = Emitter<Void>()
    #expect(
      try findings(for: 5) { source, _ in source.sample(by: trigger.signal).subscribe { _ in }.store(in: bag) } == [])
  }

  @Test func aLongBurstAfterQuietTimesIsNotFound() throws {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    let source = Emitter<Int>()
    program.make {
      source.signal.debounce(for: .milliseconds(100), on: scheduler).subscribe { _ in }.store(in: bag)
    }
    for value in 0..<5 {
      source.send(value)
      try scheduler.advance(by: .seconds(1))
    }
    let found = try program.findings {
      for value in 0..<120 {
        source.send(value)
        try scheduler.advance(by: .milliseconds(50))
      }
    }
    #expect(found == [])
  }

  @Test(arguments: [false, true])
  func whatIsDirectlyBelowItsSourceIsFoundAsSoon(isShared: Bool) throws {
    let program = WatchedProgram()
    let (source, trigger) = (Emitter<Int>(), Emitter<Void>())
    program.make {
      let values = isShared ? source.signal.share() : source.signal
      values.debounce(for: .milliseconds(100), on: VirtualTimeScheduler()).subscribe { _ in }.store(in: bag)
    }
    for value in 0..<100 { source.send(value) }
    #expect(program.findings(for: 2) { for value in 0..<20 { source.send(value) } }.map(\.rule) == ["starved"])
    withExtendedLifetime(trigger) {}
  }

  /// The pause comes at the end of a drag.
  @Test("a first drag is no starving", arguments: [2, 4.9, 5])
  func drag(lasting seconds: Double) {
    let program = WatchedProgram()
    let positions = Emitter<Int>()
    program.make {
      positions.signal.debounce(for: .milliseconds(100), on: VirtualTimeScheduler()).subscribe { _ in }.store(in: bag)
    }
    let half = Int(seconds * 30)
    for position in 0..<half { positions.send(position) }
    let found = program.findings(for: seconds / 2) { for position in 0..<half { positions.send(position) } }
    #expect(found.map(\.rule) == (seconds < 5 ? [] : ["starved"]))
  }

  /// What an emitter sent before is not what came.
  @Test func valuesFromBeforeTheSubscriptionDoNotCount() throws {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    let source = program.make { Emitter<Int>() }
    for value in 0..<200 { source.send(value) }
    program.make {
      source.signal.debounce(for: .milliseconds(100), on: scheduler).subscribe { _ in }.store(in: bag)
    }
    #expect(program.findings(for: 4) { for value in 0..<30 { source.send(value) } } == [])
    #expect(program.findings(for: 5) { for value in 0..<30 { source.send(value) } }.map(\.rule) == ["starved"])
  }

  private enum Choosing: CaseIterable {
    case alone, passingOne, filter, besideOthers
  }

  @Test("a `compactMap` that lets nothing pass", arguments: Choosing.allCases)
  private func compactMap(_ choosing: Choosing) throws {
    let (program, source) = (WatchedProgram(), Emitter<Int>())
    program.make {
      let values = source.signal
      switch choosing {
      case .filter: values.filter { $0 < 0 }.subscribe { _ in }.store(in: bag)
      case .besideOthers:
        values.compactMap { $0 < 0 ? $0 : nil }.subscribe { _ in }.store(in: bag)
        values.filter { $0 > 5 }.subscribe { _ in }.store(in: bag)
      case .alone, .passingOne:
        values.filter { $0 != 7 }.compactMap { $0 < 0 ? $0 : nil }.filter { $0 < -1 }.subscribe { _ in }.store(in: bag)
        values.scan(0, +).subscribe { _ in }.store(in: bag)
      }
    }
    if choosing == .passingOne { source.send(-1) }
    let found = program.findings(for: 12) { for value in 0..<150 { source.send(value) } }
    #expect(found.map(\.rule) == (choosing == .alone ? ["starved"] : []))
    #expect(
      found.first.map(\.message)
        == (choosing == .alone
          ? "this `compactMap` got 149 values in 12 s and gave none: its closure rejected each of them" : nil))
  }
}
