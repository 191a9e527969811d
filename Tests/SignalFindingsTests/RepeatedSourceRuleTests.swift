import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("repeated-source") struct RepeatedSourceRuleTests {
  private let bag = DisposeBag()

  /// What is found when five seconds pass.
  private func findings(_ make: (VirtualTimeScheduler) -> Void) throws -> [Finding] {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    program.make { make(scheduler) }
    return try program.findings { try scheduler.advance(by: .seconds(5)) }
  }

  @Test func aSourceThatRunsForEachPlaceIsFound() throws {
    var line = 0
    let found = try findings { scheduler in
      let readings = Signal<Int>.interval(every: .seconds(1), on: scheduler).map { $0 * 2 }; line = #line
      readings.subscribe { _ in }.store(in: bag)
      readings.filter { $0 > 3 }.subscribe { _ in }.store(in: bag)
      readings.scan(0, +).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["repeated-source"])
    #expect(found[0].place.line == line)
    #expect(found[0].message == "this `interval` runs 3 times at once, once for each location that uses it")
    #expect(found[0].related.map(\.place.line) == [line + 1, line + 2, line + 3])
    #expect(found[0].nodes.count == 3)
  }

  @Test func anAsynchronousStepThatRunsForEachPlaceIsFound() throws {
    let requests = Emitter<Int>()
    let found = try findings { _ in
      let answers = requests.signal.map { $0 + 1 }.mapAsync { $0 }
      answers.subscribe { _ in }.store(in: bag)
      answers.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
      answers.first().subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["repeated-source"])
  }

  @Test(arguments: [true, false]) func requestsOfEachSubscriberAreFound(areShared: Bool) throws {
    let (program, scheduler, places) = (WatchedProgram(), VirtualTimeScheduler(), Emitter<Int>())
    let line = #line + 2
    program.make {
      let answers = places.signal.flatMapLatest { place in
        Signal.interval(every: .milliseconds(100), on: scheduler).map { _ in place }
      }
      let weather = areShared ? answers.share() : answers
      weather.subscribe { _ in }.store(in: bag)
      weather.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
      weather.filter { $0 > 3 }.subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings {
      for place in 4..<12 {
        places.send(place)
        try scheduler.advance(by: .milliseconds(500))
      }
    }
    #expect(found.map(\.rule) == (areShared ? [] : ["repeated-source"]))
    if let first = found.first {
      #expect(first.place.line == line)
      #expect(first.message == "this `flatMapLatest` runs 3 times at once, once for each location that uses it")
    }
  }

  @Test func whatIsSharedIsNotFound() throws {
    let found = try findings { scheduler in
      let readings = Signal<Int>.interval(every: .seconds(1), on: scheduler).map { $0 * 2 }.share()
      readings.subscribe { _ in }.store(in: bag)
      readings.filter { $0 > 3 }.subscribe { _ in }.store(in: bag)
      readings.scan(0, +).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func rowsOfOneKindAreNotFound() throws {
    let found = try findings { scheduler in
      for _ in 0..<5 {
        Signal<Int>.interval(every: .seconds(1), on: scheduler).map { $0 * 2 }.subscribe { _ in }.store(in: bag)
      }
    }
    #expect(found == [])
  }

  @Test func innerSignalsAreNotFound() throws {
    let found = try findings { scheduler in
      let readings = Signal<Int>.interval(every: .seconds(1), on: scheduler)
      Signal<Int>.sequence(1...3).flatMap { number in
        number == 1 ? readings.map { $0 } : number == 2 ? readings.filter { _ in true } : readings.dropFirst()
      }.subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func sourcesThatGaveDifferentNumbersAreNotOne() throws {
    let program = WatchedProgram()
    let buttons = (0..<3).map { _ in Emitter<Int>() }
    var clicks: [Signal<Int>] = []
    for button in buttons {
      clicks.append(Signal<Int> { producer in producer.own(button.signal.subscribe { producer.send($0) }) })
    }
    program.make {
      clicks[0].subscribe { _ in }.store(in: bag)
      clicks[1].map { $0 }.subscribe { _ in }.store(in: bag)
      clicks[2].filter { _ in true }.subscribe { _ in }.store(in: bag)
    }
    let found = program.findings {
      for (number, button) in buttons.enumerated() { for _ in 0..<(5 + 2 * number) { button.send(1) } }
    }
    #expect(found == [])
  }

  @Test func aSignalOfAFunctionThatIsUsedThereIsFound() throws {
    func show(_ scheduler: VirtualTimeScheduler) {
      let readings = Signal<Int>.interval(every: .seconds(1), on: scheduler)
      readings.subscribe { _ in }.store(in: bag)
      readings.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
      readings.map { $0 + 2 }.subscribe { _ in }.store(in: bag)
    }
    #expect(try findings(show).map(\.rule) == ["repeated-source"])
  }

  @Test func aFunctionThatIsCalledForDifferentThingsIsNotFound() throws {
    func poll(_ place: String, _ scheduler: VirtualTimeScheduler) -> Signal<String> {
      Signal<Int>.interval(every: .seconds(1), on: scheduler).map { _ in place }
    }
    let found = try findings { scheduler in
      poll("a", scheduler).subscribe { _ in }.store(in: bag)
      poll("b", scheduler).map { $0 + "!" }.subscribe { _ in }.store(in: bag)
      poll("c", scheduler).filter { !$0.isEmpty }.subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func aShareThatIsMadeForEachUseIsTold() throws {
    let found = try findings { scheduler in
      func readings() -> Signal<Int> { Signal<Int>.interval(every: .seconds(1), on: scheduler).share(replay: 1) }
      readings().subscribe { _ in }.store(in: bag)
      readings().filter { $0 > 3 }.subscribe { _ in }.store(in: bag)
      readings().scan(0, +).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["repeated-source"])
    #expect(found[0].remedy.hasPrefix("keep the shared signal"))
  }

  /// A connection that is shared by whoever wants its values.
  private struct Radio {
    let positions: Signal<Int>

    init(finishing isFinishing: Bool) {
      positions = Signal { producer in
        producer.send(1)
        if isFinishing { producer.finish() }
      }.share()
    }
  }

  @Test(arguments: [(10, false, true), (9, false, false), (30, true, false)])
  func aShareThatIsLeftAgainAndAgainIsFound(times: Int, isFinishing: Bool, isFound: Bool) throws {
    let program = WatchedProgram()
    let radio = program.make { Radio(finishing: isFinishing) }
    program.make { radio.positions.subscribe { _ in }.dispose() }
    let found = program.findings {
      for _ in 0..<times { radio.positions.subscribe { _ in }.dispose() }
    }
    #expect(found.map(\.rule) == (isFound ? ["repeated-source"] : []))
    #expect(
      found.first.map(\.message)
        == (isFound
          ? "this `share` restarted its source 10 times in 10 s, because its only subscriber left each time" : nil))
  }

  @Test func aShareThatMostlyEndsByItselfOrIsMadeForEachUseIsNot() {
    let (program, stop) = (WatchedProgram(), Emitter<Void>())
    let ending = program.make { EndingRadio(until: stop.signal).positions }
    func made() -> Signal<Int> { Signal { producer in producer.send(1) }.share() }
    program.make { ending.subscribe { _ in }.dispose() }
    let found = program.findings {
      for _ in 0..<30 { made().subscribe { _ in }.dispose() }
      for number in 0..<30 {
        let subscription = ending.subscribe { _ in }
        if number < 12 { stop.send(()) }
        subscription.dispose()
      }
    }
    #expect(found == [])
  }

  private struct EndingRadio {
    let positions: Signal<Int>

    init(until stop: Signal<Void>) {
      positions = Signal { producer in
        producer.send(1)
        producer.own(stop.subscribe { _ in producer.finish() })
      }.share()
    }
  }

  @Test func aShareWithALastingSubscriberIsNot() {
    let program = WatchedProgram()
    let radio = program.make { Radio(finishing: false) }
    program.make { radio.positions.subscribe { _ in }.store(in: bag) }
    let found = program.findings {
      for _ in 0..<30 { radio.positions.subscribe { _ in }.dispose() }
    }
    #expect(found == [])
  }
}
