import SignalFindings
import SignalGraph
import Signals
import Testing

@Suite("stalled") struct StalledRuleTests {
  private let bag = DisposeBag()

  /// The findings while values are sent to the created chains, some of them before the first snapshot.
  private func findings(
    _ values: Int = 10, before: Int = 2, for seconds: Double = 12, _ make: (Signal<Int>) -> Void
  ) -> [Finding] {
    let program = WatchedProgram()
    let source = Emitter<Int>()
    program.make { make(source.signal.named("prices")) }
    for value in 0..<before { source.send(value) }
    return program.findings(for: seconds) {
      for value in 0..<values { source.send(value) }
    }
  }

  @Test func combineLatestWithASilentEmitterIsReported() throws {
    let selection = Emitter<Int>()
    var line = 0
    let found = findings { prices in
      line = #line + 1
      prices.combineLatest(selection.signal).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["stalled"])
    #expect(found[0].place.line == line)
    #expect(
      found[0].message
        == "this `combineLatest` received 12 values from `prices` and emitted none: `emitter` has never sent one")
    #expect(
      found[0].remedy
        == "check that `emitter` sends; or make `emitter` a `Property`, which has a value from the beginning")
    #expect(found[0].related.map(\.message) == ["`emitter` is here"])
  }

  @Test func twoSourcesOfOneNameAreToldApart() throws {
    let program = WatchedProgram()
    let (flowing, silent) = program.make { (Emitter<Int>(), Emitter<Int>()) }
    let line = #line - 1
    program.make { flowing.signal.combineLatest(silent.signal).subscribe { _ in }.store(in: bag) }
    for value in 0..<2 { flowing.send(value) }
    let found = program.findings(for: 12) { for value in 0..<10 { flowing.send(value) } }
    try #require(found.map(\.rule) == ["stalled"])
    #expect(
      found[0].message
        == "this `combineLatest` received 12 values from `emitter` at StalledRuleTests.swift:\(line) and emitted none: "
        + "`emitter` at StalledRuleTests.swift:\(line) has never sent one")
  }

  @Test func eachCombiningOperatorIsReported() {
    let selection = Emitter<Int>()
    let found = findings { prices in
      prices.withLatest(from: selection.signal).subscribe { _ in }.store(in: bag)
      zip(prices, selection.signal).subscribe { _ in }.store(in: bag)
      combineLatest([prices, prices.map { -$0 }, selection.signal]).subscribe { _ in }.store(in: bag)
      let conditions = [prices.map { $0 > 0 }, selection.signal.map { $0 > 0 }]
      allSatisfy(conditions).subscribe { _ in }.store(in: bag)
      latestValues(of: ["price": prices, "selection": selection.signal]).subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == Array(repeating: "stalled", count: 5))
  }

  @Test func whatWaitsForTheEndOfAnEndlessSourceIsReported() throws {
    let scheduler = VirtualTimeScheduler()
    let settings = Property(1)
    let found = findings { prices in
      let ticks = Signal<Int>.interval(every: .seconds(1), on: scheduler)
      forkJoin(prices, settings.signal.map { $0 + 1 }).subscribe { _ in }.store(in: bag)
      ticks.map { $0 + 1 }.reduce(0, +).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["stalled", "stalled"])
    #expect(found[0].message == "this `forkJoin` emits when each input has ended, and `property` does not end")
    #expect(found[0].related.map(\.message) == ["`property` is here"])
    #expect(found[1].message == "this `reduce` emits when its source has ended, and `interval` does not end")
  }

  @Test func whatWaitsForAnEndThatMayComeIsNotReported() {
    let scheduler = VirtualTimeScheduler()
    let settings = Property(1)
    let found = findings { prices in
      let ticks = Signal<Int>.interval(every: .seconds(1), on: scheduler)
      forkJoin(prices, settings.signal.first()).subscribe { _ in }.store(in: bag)
      forkJoin(prices, ticks.prefix(100)).subscribe { _ in }.store(in: bag)
      ticks.prefix(while: { $0 < 100 }).reduce(0, +).subscribe { _ in }.store(in: bag)
      settings.signal.last().subscribe { _ in }.store(in: bag)
      // It gives nothing at its end either: whoever ignores values waits for none.
      ticks.handle(onValue: { _ in }).ignoreValues().subscribe { _ in }.store(in: bag)
      prices.reduce(0, +).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func valuesBeforeTheSubscriptionDoNotCount() throws {
    let selection = Emitter<Int>()
    let found = findings { prices in
      withExtendedLifetime(selection.signal.subscribe { _ in }) { selection.send(1) }
      prices.combineLatest(selection.signal).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["stalled"])
    #expect(found[0].message.hasSuffix("`emitter` has sent none since this subscribed"))
    #expect(found[0].remedy.contains("after this has subscribed"))
  }

  @Test func operatorThatLetsNothingPassIsNamed() throws {
    var line = 0
    let found = findings { prices in
      line = #line + 1
      let large = prices.filter { $0 > 1_000 }
      prices.combineLatest(large.map { -$0 }).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["stalled"])
    #expect(found[0].message.hasSuffix("`filter` received 12 values and emitted none"))
    #expect(found[0].related.map(\.place.line) == [line])
  }

  @Test func consequenceOfAStalledOperatorIsNotReported() {
    let selection = Emitter<Int>()
    let found = findings { prices in
      let selected = prices.combineLatest(selection.signal).map { $0 + $1 }
      zip(prices, selected).subscribe { _ in }.store(in: bag)
    }
    #expect(found.count == 1)
    #expect(found.allSatisfy { $0.message.hasPrefix("this `combineLatest`") })
  }

  @Test func inputWaitingForADeadlineIsNotReported() {
    let scheduler = VirtualTimeScheduler()
    let found = findings { prices in
      prices.combineLatest(prices.delay(for: .seconds(60), on: scheduler)).subscribe { _ in }.store(in: bag)
      prices.combineLatest(prices.receive(on: scheduler).map { $0 }).subscribe { _ in }.store(in: bag)
      prices.withLatest(from: Signal<Int>.interval(every: .seconds(60), on: scheduler)).subscribe { _ in }
        .store(in: bag)
    }
    #expect(found == [])
  }

  @Test func emittingOrIdleOperatorsAreNotReported() {
    let (selection, quiet) = (Emitter<Int>(), Emitter<Int>())
    let level = Property(1)
    let found = findings { prices in
      prices.combineLatest(level.signal).subscribe { _ in }.store(in: bag)
      prices.combineLatest(selection.signal.prepend(0)).subscribe { _ in }.store(in: bag)
      selection.signal.withLatest(from: prices).subscribe { _ in }.store(in: bag)
      selection.signal.combineLatest(quiet.signal).subscribe { _ in }.store(in: bag)
      prices.merge(with: selection.signal).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test(
    "few values, a single burst and a young operator are not reported",
    arguments: [(2, 7, 12.0), (2, 10, 9.0), (20, 4, 12), (0, 30, 12)])
  func tooLittle(before: Int, values: Int, seconds: Double) {
    let selection = Emitter<Int>()
    let found = findings(values, before: before, for: seconds) { prices in
      prices.combineLatest(selection.signal).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  // MARK: Inner signals

  @Test(arguments: ["concatMap", "exhaustMap"])
  func endlessInnerSignalIsReported(kind: String) throws {
    let (requests, room) = (Emitter<Int>(), Emitter<Int>())
    let program = WatchedProgram()
    var line = 0
    program.make {
      line = #line + 1
      let messages = room.signal.map { $0 + 1 }
      if kind == "concatMap" {
        requests.signal.concatMap { _ in messages }.subscribe { _ in }.store(in: bag)
      } else {
        requests.signal.exhaustMap { _ in messages }.subscribe { _ in }.store(in: bag)
      }
      requests.send(0)
    }
    let found = program.findings(for: 12) {
      for value in 1...30 {
        requests.send(value)
        if kind == "concatMap" { room.send(value) }
      }
    }
    try #require(found.map(\.rule) == ["stalled"])
    let fate = kind == "concatMap" ? "wait" : "were ignored"
    #expect(
      found[0].message
        == "30 values came to this `\(kind)` in 12 s and \(fate): its inner signal of `emitter` has not ended for 12 s")
    #expect(found[0].related.map(\.place.line) == [line])
  }

  @Test func innerSignalsThatEndAreNotReported() {
    let (requests, answers) = (Emitter<Int>(), Emitter<Int>())
    // Not an emitter's own signal: with one, it depends on how long the first took.
    let answer = Signal<Int> { producer in producer.own(answers.signal.subscribe { producer.send($0) }) }
    let program = WatchedProgram()
    program.make {
      requests.signal.concatMap { _ in answer.first() }.subscribe { _ in }.store(in: bag)
      requests.signal.exhaustMap { _ in answer.map { $0 }.first() }.subscribe { _ in }.store(in: bag)
      requests.send(0)
      requests.send(0)
      answers.send(0)
    }
    // The second takes long, but the first has ended.
    #expect(program.findings(for: 12) { for value in 1...10 { requests.send(value) } } == [])
  }

  /// The first answer came at once, and the second never: 10 times as long, where an emitter was to send it.
  @Test(arguments: [1.0, 2.0]) func anInnerSignalThatHangsAfterOthersEndedIsReported(usual: Double) throws {
    let (taps, answers) = (Emitter<Int>(), Emitter<Int>())
    let program = WatchedProgram()
    program.make {
      taps.signal.exhaustMap { tap in answers.signal.filter { $0 == tap }.first() }.subscribe { _ in }.store(in: bag)
      for tap in 1...2 { taps.send(tap) }
      answers.send(1)
      taps.send(2)
    }
    var before = program.recorder.snapshot()
    for value in 1...30 { taps.send(value) }
    var after = program.recorder.snapshot()
    // The operator began as long before its second inner signal as its first took.
    let began = try #require(before.nodes.compactMap(\.since).max())
    before.takenAt = began + 3
    after.takenAt = began + 13
    let kinds = Dictionary(after.definitions.map { ($0.id, $0.kind) }) { first, _ in first }
    for index in after.nodes.indices where ["exhaustMap", "subscribe"].contains(kinds[after.nodes[index].definition]) {
      after.nodes[index].since = began - usual
    }
    #expect(
      Rules.findings(in: Observation(after, since: before)).map(\.rule) == (usual == 1 ? ["stalled"] : []))
  }

  /// Ignoring taps while a session runs is intended.
  @Test func exhaustMapWithAnEmittingInnerSignalIsNotReported() {
    let (taps, room) = (Emitter<Int>(), Emitter<Int>())
    let program = WatchedProgram()
    program.make { taps.signal.exhaustMap { _ in room.signal.map { $0 } }.subscribe { _ in }.store(in: bag) }
    taps.send(0)
    let found = program.findings(for: 12) {
      for value in 1...30 {
        taps.send(value)
        room.send(value)
      }
    }
    #expect(found == [])
  }

  /// An inner signal that emits and ends by itself may take long; one without an end is reported.
  @Test(arguments: [true, false]) func aLongInnerSignalThatEndsIsNotReported(isBounded: Bool) {
    let (files, progress) = (Emitter<Int>(), Emitter<Int>())
    let program = WatchedProgram()
    program.make {
      let parts = progress.signal.map { $0 }
      files.signal.concatMap { _ in isBounded ? parts.prefix(90) : parts }.subscribe { _ in }.store(in: bag)
      files.send(0)
    }
    let found = program.findings(for: 12) {
      for value in 1...30 {
        files.send(value)
        progress.send(value)
      }
    }
    #expect(found.map(\.rule) == (isBounded ? [] : ["stalled"]))
  }

  /// A download that tells its progress may take long. One without an end is reported a minute later.
  @Test(arguments: [12, 70]) func longWorkThatEmitsIsNotReported(seconds: Double) {
    let (files, progress) = (Emitter<Int>(), Emitter<Int>())
    let program = WatchedProgram()
    program.make {
      files.signal.concatMap { _ in
        Signal<Int> { producer in producer.own(progress.signal.subscribe { producer.send($0) }) }
      }
      .subscribe { _ in }.store(in: bag)
      files.send(0)
    }
    let found = program.findings(for: seconds) {
      for value in 1...30 {
        files.send(value)
        progress.send(value)
      }
    }
    #expect(found.map(\.rule) == (seconds == 12 ? [] : ["stalled"]))
  }

  private enum Replaced: CaseIterable {
    case tooSoon, emitterIsSilent, watchdog, sometimesDone, fewTimes
  }

  @Test(arguments: Replaced.allCases) private func innerSignalsThatAreReplacedTooSoonAreReported(_ replaced: Replaced)
    throws
  {
    let (queries, updates, scheduler) = (Emitter<Int>(), Emitter<Int>(), VirtualTimeScheduler())
    let program = WatchedProgram()
    let line = #line + 2
    program.make {
      queries.signal.flatMapLatest { _ in
        replaced == .emitterIsSilent
          ? updates.signal.map { $0 }
          : Signal.timer(after: .seconds(replaced == .watchdog ? 3 : 1), on: scheduler).map { _ in 1 }
      }.subscribe { _ in }.store(in: bag)
    }
    let found = try program.findings(for: 12) {
      for value in 0..<(replaced == .fewTimes ? 8 : 20) {
        queries.send(value)
        try scheduler.advance(by: .milliseconds(replaced == .sometimesDone && value == 7 ? 1_500 : 500))
      }
    }
    #expect(found.map(\.rule) == (replaced == .tooSoon ? ["stalled"] : []))
    guard let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(
      first.message
        == "20 values came to this `flatMapLatest` in 12 s and none was emitted: each replaces the inner signal of `timer` before that emits"
    )
  }

  // MARK: Triggers

  @Test func triggerThatEndsWithoutAValueIsReported() throws {
    let closed = Emitter<Void>()
    let found = findings { prices in
      prices.prefix(untilOutputFrom: closed.signal).subscribe { _ in }.store(in: bag)
      prices.drop(untilOutputFrom: closed.signal).subscribe { _ in }.store(in: bag)
      closed.finish()
    }
    try #require(found.map(\.rule) == ["stalled", "stalled"])
    #expect(
      found.map(\.message) == [
        "this `prefix(untilOutputFrom:)` will never end: its trigger `emitter` has ended without a value",
        "this `drop(untilOutputFrom:)` lets nothing pass, and never will: its trigger `emitter` has ended without a value",
      ])
  }

  @Test func triggerOfAReleasedEmitterIsReported() throws {
    func closing() -> Signal<Void> {
      let closed = Emitter<Void>()
      return closed.signal.map { $0 }
    }
    let found = findings { prices in
      prices.prefix(untilOutputFrom: closing()).subscribe { _ in }.store(in: bag)
    }
    try #require(found.map(\.rule) == ["stalled"])
    #expect(found[0].message.hasSuffix("its trigger `emitter` was released, so it has ended without a value"))
  }

  /// A busy program retains only the latest ended nodes.
  @Test func triggerNoLongerInTheSnapshotIsReported() {
    let program = WatchedProgram()
    let (prices, closed) = (Emitter<Int>(), Emitter<Void>())
    program.make {
      prices.signal.prefix(untilOutputFrom: closed.signal).subscribe { _ in }.store(in: bag)
      closed.finish()
      for number in 0..<600 { Signal.just(number).map { $0 }.subscribe { _ in }.store(in: bag) }
    }
    let found = program.findings(for: 12) { for number in 0..<10 { prices.send(number) } }
    #expect(
      found.map(\.message) == [
        "this `prefix(untilOutputFrom:)` will never end: its trigger has ended without a value"
      ])
  }

  @Test func pendingTriggerIsNotReported() {
    let closed = Emitter<Void>()
    let found = findings { prices in
      prices.prefix(untilOutputFrom: closed.signal).subscribe { _ in }.store(in: bag)
      prices.prefix(untilOutputFrom: Signal<Void>.never()).subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  private enum Restart: CaseIterable {
    case tooSoon, sometimesInTime, ofATimer, seldom
  }

  @Test("subscriptions that are disposed before a value comes", arguments: Restart.allCases)
  private func restarts(_ restart: Restart) throws {
    let (program, scheduler) = (WatchedProgram(), VirtualTimeScheduler())
    var running: Subscription?
    func refresh() {
      running?.dispose()
      program.make {
        let work = Signal<Int> { producer in
          producer.own(scheduler.schedule(after: .milliseconds(450)) { producer.send(1) })
        }
        let timer = Signal.timer(after: .milliseconds(450), on: scheduler).map { 1 }
        running = (restart == .ofATimer ? timer : work).map { $0 + 1 }.subscribe { _ in }
      }
    }
    refresh()
    let found = try program.findings {
      for number in 0..<(restart == .seldom ? 5 : 33) {
        // An idle machine may dispose each within ten milliseconds, which is another fault.
        try scheduler.advance(by: .milliseconds(restart == .sometimesInTime && number == 20 ? 500 : 300))
        refresh()
      }
    }
    let names = found.map(\.rule)
    #expect(
      restart == .tooSoon
        ? names.contains("stalled") || names.contains("unused-subscription") : !names.contains("stalled"))
    running?.dispose()
  }
}
