import Dispatch
import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("backlog") struct BacklogRuleTests {
  private let bag = DisposeBag()

  /// What is found when so many values wait at first, and then others come.
  private func findings(first: Int = 10, then: Int = 50, _ make: (Signal<Int>) -> Void) -> [Finding] {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make { make(source.signal.map { $0 + 1 }) }
    for value in 0..<first { source.send(value) }
    return program.findings { for value in 0..<then { source.send(value) } }
  }

  @Test func aQueueThatGrowsIsFound() throws {
    var line = 0
    let scheduler = VirtualTimeScheduler()
    let found = findings { source in
      source.receive(on: scheduler).subscribe { _ in }.store(in: bag); line = #line
    }
    try #require(found.map(\.rule) == ["backlog"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message == "60 values wait at this `receive(on:)`, 50 more than 10 s before: 50 came and 0 went")
    #expect(found[0].related.map(\.message) == ["the values come from `emitter`"])
  }

  @Test func remedyForAQueueOfInnerSignalsNamesParallelOnes() throws {
    let (program, source, scheduler) = (WatchedProgram(), Emitter<Int>(), VirtualTimeScheduler())
    program.make {
      source.signal.concatMap { _ in Signal.timer(after: .seconds(1), on: scheduler) }.subscribe { _ in }.store(in: bag)
    }
    for value in 0..<10 { source.send(value) }
    let found = try program.findings {
      for value in 0..<50 { source.send(value) }
      try scheduler.advance(by: .seconds(3))
    }
    #expect(found.map(\.rule) == ["backlog"])
    #expect(
      found.first?.remedy
        == "do less for each value, or let fewer come, with `throttle(for:on:latest:)` above it; "
        + "if the order does not matter, use `flatMap(maxConcurrent:)`")
  }

  @Test(arguments: [(19, []), (20, ["backlog"])] as [(Int, [String])])
  func twentyMoreAreABacklog(count: Int, rules: [String]) {
    let scheduler = VirtualTimeScheduler()
    let found = findings(then: count) { $0.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    #expect(found.map(\.rule) == rules)
  }

  @Test func aLoopThatStaysBehindIsFound() throws {
    var iterators: [SignalValues<Int>.Iterator] = []
    let found = findings { iterators.append($0.values().makeAsyncIterator()) }
    #expect(found.map(\.rule) == ["backlog"])
    #expect(
      found.map(\.message) == ["60 values wait at this loop, 50 more than 10 s before: 50 came and 0 went"])
  }

  @Test func aZipOfUnequalSidesIsFound() throws {
    let (often, seldom) = (Emitter<Int>(), Emitter<Int>())
    let found = findings { source in
      // With a silent input it is stalled.
      zip(source, seldom.signal.prepend(0)).subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.message) == ["59 values wait at this `zip`, 50 more than 10 s before: 50 came and 0 went"])
    // No operator is above these.
    let program = WatchedProgram()
    program.make { zip(often.signal, seldom.signal).subscribe { _ in }.store(in: bag) }
    #expect(program.findings { for value in 0..<99 { often.send(value) } } == [])
    #expect(program.findings { for value in 0..<100 { often.send(value) } }.map(\.rule) == ["stalled"])
  }

  @Test(arguments: [false, true])
  func aZipDirectlyBelowItsSourcesIsFound(isShared: Bool) throws {
    let program = WatchedProgram()
    let (often, seldom) = (Emitter<Int>(), Emitter<Int>())
    for value in 0..<500 { often.send(value) }
    program.make {
      let source = isShared ? often.signal.share() : often.signal
      source.zip(seldom.signal).subscribe { _ in }.store(in: bag)
    }
    for value in 0..<10 { often.send(value) }
    let found = program.findings {
      for value in 0..<50 { often.send(value) }
      for value in 0..<5 { seldom.send(value) }
    }
    #expect(found.map(\.message) == ["55 values wait at this `zip`, 45 more than 10 s before: 50 came and 5 went"])
  }

  @Test func aSchedulerThatRunsNothingIsAskedAfter() {
    let queue = DispatchQueue(label: "disk")
    queue.suspend()
    defer { queue.resume() }
    let found = findings { $0.receive(on: .queue(queue)).subscribe { _ in }.store(in: bag) }
    #expect(
      found.map(\.remedy) == [
        "check that its scheduler, `disk`, runs work: it ran nothing in this time, so it may be blocked, or nothing runs it"
      ])
    bag.disposeAll()
  }

  @Test func aZipInStepOrThatIsPacedIsNotFound() throws {
    let program = WatchedProgram()
    let scheduler = VirtualTimeScheduler()
    let (left, right) = (Emitter<Int>(), Emitter<Int>())
    program.make {
      zip(left.signal.map { $0 + 1 }, right.signal.map { $0 + 1 }).subscribe { _ in }.store(in: bag)
      zip(left.signal, right.signal).subscribe { _ in }.store(in: bag)
      zip(Signal<Int>.sequence(0..<1_000), Signal<Int>.interval(every: .seconds(1), on: scheduler)).subscribe { _ in }
        .store(in: bag)
    }
    let found = try program.findings {
      for value in 0..<200 {
        left.send(value)
        if value >= 15 { right.send(value) }
      }
      try scheduler.advance(by: .seconds(200))
    }
    #expect(found == [])
  }

  @Test func aZipThatGotABurstOrGivesValuesIsNotFound() {
    let seldom = Emitter<Int>()
    #expect(findings(first: 0) { zip($0, seldom.signal).subscribe { _ in }.store(in: bag) } == [])
    let program = WatchedProgram()
    let (left, right) = (Emitter<Int>(), Emitter<Int>())
    program.make { zip(left.signal, right.signal).subscribe { _ in }.store(in: bag) }
    let found = program.findings {
      for value in 0..<200 { left.send(value) }
      for value in 0..<5 { right.send(value) }
    }
    #expect(found == [])
  }

  @Test func whatWaitsOnPurposeOrNotMuchIsNotFound() {
    let scheduler = VirtualTimeScheduler()
    let isHeld = Property(true)
    #expect(findings { $0.buffer(while: isHeld.signal).subscribe { _ in }.store(in: bag) } == [])
    #expect(findings { $0.delay(for: .seconds(1), on: scheduler).subscribe { _ in }.store(in: bag) } == [])
    #expect(
      findings { $0.receive(on: scheduler, overflow: .newest(20)).subscribe { _ in }.store(in: bag) } == [])
    #expect(findings(then: 19) { $0.receive(on: scheduler).subscribe { _ in }.store(in: bag) } == [])
    #expect(findings { $0.receive(on: ImmediateScheduler()).subscribe { _ in }.store(in: bag) } == [])
  }

  @Test func aBurstThatBeginsMeanwhileIsNotFound() {
    let scheduler = VirtualTimeScheduler()
    #expect(findings(first: 0) { $0.receive(on: scheduler).subscribe { _ in }.store(in: bag) } == [])
  }

  @Test func aQueueThatIsWorkedOffIsNotFound() throws {
    let program = WatchedProgram()
    let (source, scheduler) = (Emitter<Int>(), VirtualTimeScheduler())
    program.make { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    for value in 0..<50 { source.send(value) }
    let found = try program.findings {
      try scheduler.advance()
      for value in 0..<60 { source.send(value) }
    }
    #expect(found == [])
  }

  @Test func aBurstThatIsWorkedOffAtALaterLookIsNotReported() throws {
    let (program, source, scheduler) = (WatchedProgram(), Emitter<Int>(), VirtualTimeScheduler())
    program.make { source.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag) }
    func look(at time: Double, sending count: Int) -> GraphSnapshot {
      for value in 0..<count { source.send(value) }
      var look = program.recorder.snapshot()
      look.takenAt = time
      return look
    }
    let (before, now) = (look(at: 1, sending: 5), look(at: 11, sending: 60))
    let stillThere = look(at: 12, sending: 0)
    try scheduler.advance()
    let workedOff = look(at: 13, sending: 5)
    func rules(_ later: [GraphSnapshot]) -> [String] {
      var observation = Observation(now, since: before)
      observation.later = later.map { GraphView($0) }
      return Rules.findings(in: observation).map(\.rule)
    }
    #expect(rules([]) == ["backlog"])
    #expect(rules([stillThere]) == ["backlog"])
    #expect(rules([stillThere, workedOff]) == [])
  }
}
