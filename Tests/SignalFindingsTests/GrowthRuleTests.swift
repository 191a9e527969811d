import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("growth") struct GrowthRuleTests {
  /// A graph in which so many subscriptions at line 2 live, the first of them with this identifier.
  private func graph(
    at moment: Double, _ count: Int, from first: UInt64 = 10, ends: EndCounts? = EndCounts(disposed: 3)
  ) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    graph.define("emitter", line: 1)
    graph.define("subscribe", line: 2, ends: ends)
    graph.add(1, line: 1)
    for step in 0..<UInt64(count) { graph.add(first + step, line: 2, from: [1]) }
    return graph.snapshot
  }

  @Test func whatGrowsIsFoundWithItsRate() throws {
    let found = Rules.findings(in: Observation(graph(at: 10, 25), since: graph(at: 0, 10)))
    try #require(found.count == 1)
    #expect(found[0].rule == "growth")
    #expect(found[0].place.line == 2)
    #expect(
      found[0].message
        == "25 subscriptions made here are alive, 15 more than 10 s before (90 a minute), and none has ended")
  }

  @Test func remedyNamesTheOwnersOfGrowingSubscriptions() throws {
    func owned(_ moment: Double, _ count: Int, owner: (UInt64) -> UInt64) -> GraphSnapshot {
      var graph = graph(at: moment, count)
      graph.process.startedAt = -60
      for index in graph.nodes.indices where graph.nodes[index].id >= 10 {
        graph.nodes[index].owner = "Row"
        graph.nodes[index].ownerID = owner(graph.nodes[index].id)
      }
      return graph
    }
    func remedy(owner: (UInt64) -> UInt64) -> String? {
      let observation = Observation(owned(10, 25, owner: owner), since: owned(0, 10, owner: owner))
      return Rules.findings(in: observation) { $0 == "growth" }.first?.remedy
    }
    #expect(
      remedy { $0 }
        == "find what retains the 25 `Row` objects, such as a closure that captures `self`: each of them has one of the "
        + "subscriptions, which ends with it")
    #expect(remedy { _ in 1 }?.hasPrefix("dispose the earlier one") == true)
  }

  /// Each goes on although its only subscriber has left, as long as something keeps the signal.
  @Test(arguments: [true, false]) func sharedSignalsWithoutSubscribersGrow(keepsRunning: Bool) throws {
    let (ticks, program) = (Emitter<Int>(), WatchedProgram())
    var kept: [Signal<Int>] = []
    func show(_ count: Int) {
      for _ in 1...count {
        let seats = ticks.signal.map { $0 }.share(replay: 1, keepsRunning: keepsRunning)
        kept.append(seats)
        seats.map { $0 }.subscribe { _ in }.dispose()
      }
    }
    program.make { show(4) }
    let found = withExtendedLifetime(kept) { program.findings { show(20) } }
    #expect(
      found.map(\.message)
        == (keepsRunning
          ? [
            "24 shared signals made here keep running without a subscriber, 20 more than 10 s before (120 a minute), and none has ended"
          ] : []))
    #expect(found.map(\.place.line) == (keepsRunning ? [#line - 13] : []))
    #expect(found.map(\.related) == (keepsRunning ? [[]] : []))
  }

  @Test func withoutATimeThatSaysSomethingThereIsNoRate() throws {
    let found = Rules.findings(in: Observation(graph(at: 10, 25), since: graph(at: 10, 10), time: .none))
    try #require(found.count == 1)
    #expect(
      found[0].message == "25 subscriptions made here are alive, 15 of them made during the test, and none has ended")
    let observation = Observation(graph(at: 10.003, 25), since: graph(at: 10, 10), time: .none)
    #expect(observation.seconds == 0)
    #expect(Rules.findings(in: observation) == found)
  }

  @Test(
    "a few more, a small part more, and what comes and goes are no growth", arguments: [(10, 14), (100, 115), (10, 10)])
  func smallChanges(before: Int, after: Int) {
    #expect(Rules.findings(in: Observation(graph(at: 10, after), since: graph(at: 0, before))) == [])
  }

  @Test func whereNoneHasEverEndedASmallPartMoreIsGrowth() {
    func found(_ before: Int, _ after: Int) -> [String] {
      let graphs = (graph(at: 0, before, ends: nil), graph(at: 10, after, ends: nil))
      return Rules.findings(in: Observation(graphs.1, since: graphs.0)).map(\.rule)
    }
    #expect(found(100, 115) == ["growth"])
    #expect(found(100, 104) == [])
  }

  /// Forty rows of a list, or one after the other.
  @Test func whatComesAllAtOnceIsAListThatWasOpened() {
    func found(_ moment: (UInt64) -> Double) -> [String] {
      var later = graph(at: 20, 40, ends: nil)
      for index in later.nodes.indices {
        let id = later.nodes[index].id
        later.nodes[index].since = id >= 20 ? moment(id - 20) : 1
      }
      return Rules.findings(in: Observation(later, since: graph(at: 10, 10, ends: nil))).map(\.rule)
    }
    #expect(found { 15 + Double($0) * 0.001 } == [])
    #expect(found { $0 < 15 ? 11 : 19 } == [])
    // It grew for more than half of the time, and is complete.
    #expect(found { 10.1 + Double($0) * 0.17 } == [])
    #expect(found { 10.1 + Double($0) * 0.3 } == ["growth"])
  }

  /// Some rows came while the first snapshot was taken: its time is later than theirs, but they are not in it.
  @Test func rowsThatCameWithTheFirstSnapshotAreNoGrowth() {
    var later = graph(at: 20, 40, ends: nil)
    for index in later.nodes.indices {
      later.nodes[index].since = later.nodes[index].id >= 30 ? 14 : 10 - 0.001 * Double(index % 20)
    }
    #expect(Rules.findings(in: Observation(later, since: graph(at: 10, 17, ends: nil))) == [])
  }

  /// A screen every three seconds, for as long as the program runs.
  @Test func whatGrowsSlowlyButEvenlyIsFound() {
    func found(_ times: [Double], ends: EndCounts? = nil) -> [String] {
      var later = graph(at: 20, times.count, ends: ends)
      for (step, time) in times.enumerated() { later.nodes[step + 1].since = time }
      var before = graph(at: 10, times.filter { $0 <= 10 }.count, ends: ends)
      for index in before.nodes.indices { before.nodes[index].since = later.nodes[index].since }
      return Rules.findings(in: Observation(later, since: before)).map(\.rule)
    }
    #expect(found([4, 7, 10, 13, 16, 19]) == ["growth"])
    #expect(found([4, 7, 10, 13, 16, 19], ends: EndCounts(disposed: 1)) == [])
    // Too few, long ago, at any time, all at once.
    #expect(found([13, 16, 19]) == [])
    #expect(found([1, 2, 3, 4, 5, 6]) == [])
    #expect(found([1, 2, 3, 4, 17, 18]) == [])
    #expect(found([16, 16.01, 16.02, 16.03]) == [])
  }

  /// While handlers are traced, something leads on from a subscriber.
  @Test func whatAHandlerSendsHidesNothing() {
    var later = graph(at: 10, 25)
    later.edges += later.nodes.dropFirst().map { Edge(source: $0.id, target: 1, kind: .feedback) }
    let found = Rules.findings(in: Observation(later, since: graph(at: 0, 10)))
    #expect(found.map(\.rule) == ["growth"])
  }

  @Test func innerSignalsThatGoOnForEverAreFound() throws {
    let program = WatchedProgram()
    let bag = DisposeBag()
    let (songs, progress) = (Emitter<Int>(), Emitter<Int>())
    var line = 0
    program.make {
      line = #line + 1
      songs.signal.flatMap { song in progress.signal.map { song + $0 } }.subscribe { _ in }.store(in: bag)
      songs.signal.flatMapLatest { song in progress.signal.map { song + $0 } }.subscribe { _ in }.store(in: bag)
      songs.signal.flatMap { song in progress.signal.prefix(1).map { song + $0 } }.subscribe { _ in }.store(in: bag)
    }
    let found = program.findings {
      for song in 0..<10 {
        songs.send(song)
        progress.send(1)
      }
    }
    try #require(found.map(\.rule) == ["growth"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "10 inner signals made here are alive, 10 more than 10 s before (60 a minute), and none has ended")
    #expect(found[0].related.map(\.message) == ["this `flatMap` retains them"])
  }

  @Test func whereOthersEndedNothingHasGrown() {
    #expect(Rules.findings(in: Observation(graph(at: 10, 25, from: 15), since: graph(at: 0, 10))) == [])
  }

  @Test func oneSnapshotOrThatOfAnotherProcessTellsNoGrowth() {
    #expect(Rules.findings(in: Observation(graph(at: 10, 25))) == [])
    var other = graph(at: 0, 10)
    other.process.pid = 2
    #expect(Rules.findings(in: Observation(graph(at: 10, 25), since: other)) == [])
  }

  @Test func loopsThatGrowAreCancelled() {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    var iterators: [SignalValues<Int>.Iterator] = []
    func begin() { iterators.append(source.signal.values().makeAsyncIterator()) }
    for _ in 0..<10 { program.make(begin) }
    let before = program.recorder.snapshot()
    for _ in 0..<10 { program.make(begin) }
    let found = Rules.findings(in: Observation(program.recorder.snapshot(), since: before, time: .none))
    #expect(
      found.map(\.remedy) == [
        "cancel the task of each loop when the loop is no longer needed; until then, the task retains the objects that it captures"
      ])
    #expect(found.map(\.rule) == ["growth"])
  }

  @Test(arguments: [
    (Int.max, 1_200, 100, true), (Int.max, 1_200, 99, false), (Int.max, 800, 150, false), (2_000, 1_200, 500, false),
  ])
  func aSourceThatRemembersAllIsFound(replay: Int, before: Int, values: Int, isFound: Bool) {
    let (bag, program) = (DisposeBag(), WatchedProgram())
    let samples = program.make { Emitter<Int>(replay: replay) }
    let line = #line - 1
    program.make { samples.signal.subscribe { _ in }.store(in: bag) }
    for value in 0..<before { samples.send(value) }
    let found = program.findings { for value in 0..<values { samples.send(value) } }
    #expect(found.map(\.rule) == (isFound ? ["growth"] : []))
    guard isFound, let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(first.message == "`emitter` stores 1300 values without a limit, 100 more than 10 s before")
  }

  @Test func groupsThatNeverEndAreToldByWhatEndsThem() throws {
    let (bag, program) = (DisposeBag(), WatchedProgram())
    let rides = program.make { Emitter<Int>() }
    program.make {
      rides.signal.grouped { $0 }.flatMap { ride in ride.signal.map { $0 + 1 } }.subscribe { _ in }.store(in: bag)
    }
    let found = program.findings { for ride in 0..<30 { rides.send(ride) } }
    #expect(found.map(\.rule) == ["growth"])
    // The rest depends on the age of the test's process.
    #expect(found.first?.remedy.hasPrefix("end idle groups, with `timeout:` or `limit:` of `grouped`") == true)
  }

  /// Groups of which none has timed out yet, looked at when the oldest of them have this age.
  @Test(arguments: [(6.0, 59.0, false), (6, 61, true), (40, 79, false), (40, 81, true)])
  func groupsWithATimeoutMayGrowUntilItHasPassed(timeout: Double, age: Double, isFound: Bool) throws {
    let (bag, program, scheduler) = (DisposeBag(), WatchedProgram(), VirtualTimeScheduler())
    let beats = program.make { Emitter<Int>() }
    program.make {
      beats.signal.grouped(timeout: .seconds(timeout), on: scheduler) { $0 }
        .flatMap { bed in bed.signal.map { $0 + 1 }.throttle(for: .seconds(1), on: scheduler, latest: true) }
        .subscribe { _ in }.store(in: bag)
    }
    let before = program.recorder.snapshot()
    program.make { for bed in 0..<30 { beats.send(bed) } }
    var after = program.recorder.snapshot()
    after.takenAt = before.takenAt + age + 1
    let throttle = try #require(after.definitions.first { $0.kind == "throttle" }?.id)
    let inner = after.nodes.indices.filter { after.nodes[$0].definition == throttle }
    for (step, index) in inner.enumerated() {
      after.nodes[index].since = before.takenAt + 1 + age * Double(step) / Double(inner.count)
    }
    let found = Rules.findings(in: Observation(after, since: before))
    #expect(found.map(\.rule) == (isFound ? ["growth"] : []))
    guard isFound else { return }
    #expect(found.first?.remedy == "end groups earlier, with a shorter `timeout:` or with `limit:` of `grouped`")
  }

  /// A server whose first connections have not ended yet.
  @Test(arguments: [(50.0, true), (70, false)]) func aYoungProgramIsCheckedAgain(age: Double, isYoung: Bool) {
    func started(_ snapshot: GraphSnapshot) -> GraphSnapshot {
      var snapshot = snapshot
      snapshot.process.startedAt = 20 - age
      for index in snapshot.nodes.indices { snapshot.nodes[index].since = 10 + 0.35 * Double(index) }
      return snapshot
    }
    let found = Rules.findings(in: Observation(started(graph(at: 20, 25)), since: started(graph(at: 10, 10))))
    #expect(found.map(\.rule) == ["growth"])
    #expect(
      found.first?.remedy.hasSuffix("; if each is meant to live longer than this program has run, check again later")
        == isYoung)
  }
}
