import SignalFindings
import SignalGraph
import SignalRecording
import Signals
import Testing

@Suite("causes") struct CauseTests {
  private let bag = DisposeBag()
  private let recorder = GraphRecorder()
  private let scheduler = VirtualTimeScheduler()

  /// Makes chains, traces what follows, and explains the node with a name.
  private func trails(_ name: String, _ make: () throws -> () throws -> Void) throws -> [CauseTrail] {
    let run = try recorder.record(make)
    recorder.traceHandlers(true)
    try run()
    return known(name)
  }

  private func known(_ name: String) -> [CauseTrail] {
    let observation = Observation(recorder.snapshot())
    let node = observation.now.snapshot.nodes.last { $0.name == name }
    return node.map { Explanation(of: $0, in: observation).trails } ?? []
  }

  private func kinds(_ trail: CauseTrail?) -> [String] { trail?.hops.map(\.title) ?? [] }

  @Test func aSendOfTheProgram() throws {
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").map { $0 }.scan(0, +).named("end").subscribe { _ in }.store(in: bag)
      return {
        source.send(1)
        source.send(2)
      }
    }
    try #require(trails.count == 2)
    #expect(kinds(trails[0]) == ["`source`", "`map`", "`end`"])
    #expect(trails[0].hops.map(\.beginning) == ["sent by the program", nil, nil])
    #expect(trails.allSatisfy { $0.isComplete && Set($0.hops.map(\.cause)) == [$0.number] })
    #expect(trails[0].number > trails[1].number)
    #expect(trails[0].hops.map(\.at) == trails[0].hops.map(\.at).sorted())
    #expect(Set(trails[0].hops.map(\.thread)).count == 1)
    // On a busy machine a thread may lose the core on the way.
    #expect(trails[0].words.contains("; through") == trails[0].hops.contains { $0.waited >= 0.001 })
    #expect(trails[0].words.contains("by cause \(trails[0].number): `source` at CauseTests.swift:"))
  }

  @Test func eachSendThatWaitedIsNotedOnce() throws {
    _ = try trails("source") {
      let source = Emitter<Int>()
      source.signal.named("source").subscribe { if $0 < 4 { source.send($0 + 1) } }.store(in: bag)
      return { source.send(1) }
    }
    let numbers = recorder.snapshot().nodes.first { $0.name == "source" }?.causes?.map(\.number) ?? []
    #expect(numbers.count == 4 && Set(numbers).count == 4, "\(numbers)")
  }

  @Test func oneSendReachesAllWithOneNumber() throws {
    _ = try trails("first") {
      let source = Emitter<Int>()
      source.signal.map { $0 }.named("first").subscribe { _ in }.store(in: bag)
      source.signal.map { $0 }.named("second").subscribe { _ in }.store(in: bag)
      return { source.send(1) }
    }
    #expect(known("first").map(\.number) == known("second").map(\.number))
    #expect(known("first").count == 1)
  }

  @Test func whatAHandlerSends() throws {
    let trails = try trails("end") {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      first.signal.named("first").subscribe { second.send($0) }.store(in: bag)
      second.signal.named("second").map { $0 }.named("end").subscribe { _ in }.store(in: bag)
      return { first.send(1) }
    }
    try #require(trails.count == 1)
    try #require(kinds(trails[0]) == ["`first`", "`subscribe`", "`second`", "`end`"])
    #expect(trails[0].isComplete)
    #expect(trails[0].hops[2].beginning?.hasPrefix("sent by the handler at CauseTests.swift:") == true)
    #expect(trails[0].hops[0].cause < trails[0].hops[2].cause)
  }

  @Test func aHandlerThatSendsToItsOwnSource() throws {
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").map { $0 }.named("end").subscribe { if $0 < 3 { source.send($0 + 1) } }
        .store(in: bag)
      return { source.send(1) }
    }
    try #require(trails.count == 3)
    #expect(Set(trails.map(\.number)).count == 3)
    let latest = trails[0]
    #expect(latest.isComplete)
    #expect(
      latest.hops.map(\.beginning).compactMap { $0?.prefix(19) } == [
        "sent by the program", "sent by the handler", "sent by the handler",
      ])
    let round = ["`source`", "`end`", "`subscribe`"]
    #expect(kinds(latest) == round + round + round.dropLast())
  }

  @Test func whatIsLeftBehindAtAGateKeepsItsCause() throws {
    let trails = try trails("end") {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      first.signal.named("first").map { $0 }.merge(with: second.signal.named("second").map { $0 }).named("end")
        .subscribe { if $0 == 1 { second.send(2) } }.store(in: bag)
      return { first.send(1) }
    }
    try #require(trails.count == 2)
    #expect(kinds(trails[0]) == ["`first`", "`map`", "`end`", "`subscribe`", "`second`", "`map`", "`end`"])
    #expect(trails[0].isComplete)
  }

  @Test func anAsynchronousClosureKeepsTheCause() throws {
    let scheduler = scheduler
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      source.signal.named("source").map { $0 }
        .mapAsync(executor: scheduler) { number in
          try await scheduler.sleep(for: .milliseconds(1))
          return number
        }
        .named("end").subscribe { _ in }.store(in: bag)
    }
    recorder.traceHandlers(true)
    source.send(1)
    source.send(2)
    try scheduler.advance(by: .milliseconds(5))
    let sent = recorder.snapshot().nodes.first { $0.name == "source" }?.causes?.map(\.number)
    #expect(sent?.count == 2)
    #expect(known("end").map(\.number).sorted() == sent)
    #expect(known("end").allSatisfy { $0.isComplete })
  }

  @Test func throughDebounceWithoutAnOperatorAbove() throws {
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").debounce(for: .milliseconds(3), on: scheduler).named("end").subscribe { _ in }
        .store(in: bag)
      return {
        source.send(1)
        source.send(2)
        try scheduler.advance(by: .milliseconds(5))
      }
    }
    #expect(trails.count == 1)
    #expect(kinds(trails.first) == ["`source`", "`end`"])
    let sent = recorder.snapshot().nodes.first { $0.name == "source" }?.causes ?? []
    #expect(sent.count == 2)
    #expect(sent.last?.number == trails.first?.number)
    #expect(trails.first?.isComplete == true)
  }

  @Test func throughHopsTimersAndJoins() throws {
    let trails = try trails("end") {
      let (words, settings) = (Emitter<Int>(), Property(1))
      words.signal.named("words").map { $0 }.debounce(for: .milliseconds(3), on: scheduler)
        .combineLatest(settings.signal.map { $0 }).map { $0 + $1 }
        .delay(for: .milliseconds(2), on: scheduler)
        .receive(on: scheduler).named("end").subscribe { _ in }.store(in: bag)
      return {
        words.send(1)
        try scheduler.advance(by: .milliseconds(9))
        settings.value = 2
        try scheduler.advance(by: .milliseconds(1))
        words.send(2)
        try scheduler.advance(by: .milliseconds(9))
      }
    }
    try #require(trails.count == 3)
    #expect(kinds(trails[0]) == ["`words`", "`map`", "`debounce`", "`combineLatest`", "`map`", "`delay`", "`end`"])
    #expect(kinds(trails[1]) == ["`property`", "`map`", "`combineLatest`", "`map`", "`delay`", "`end`"])
    #expect(kinds(trails[2]) == kinds(trails[0]))
    #expect(trails.allSatisfy { $0.isComplete })
  }

  @Test func aBurstThroughAHopKeepsItsCauses() throws {
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").receive(on: scheduler).named("end").subscribe { _ in }.store(in: bag)
      return {
        for number in 0..<3 { source.send(number) }
        try scheduler.advance()
      }
    }
    let sent = recorder.snapshot().nodes.first { $0.name == "source" }?.causes?.map(\.number)
    #expect(trails.map(\.number) == sent?.reversed())
    #expect(trails.count == 3)
  }

  @Test func throttleGivesTheLatest() throws {
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").throttle(for: .milliseconds(5), on: scheduler, latest: true).named("end")
        .subscribe { _ in }.store(in: bag)
      return {
        for number in 0..<4 { source.send(number) }
        try scheduler.advance(by: .milliseconds(5))
      }
    }
    let sent = recorder.snapshot().nodes.first { $0.name == "source" }?.causes?.map(\.number) ?? []
    #expect(trails.map(\.number) == [sent.last, sent.first])
  }

  @Test func intervalsBeginByThemselves() throws {
    let trails = try trails("end") {
      Signal.interval(every: .milliseconds(1), on: scheduler).map { $0 }.named("end").subscribe { _ in }.store(in: bag)
      return { try scheduler.advance(by: .milliseconds(3)) }
    }
    try #require(trails.count == 3)
    #expect(Set(trails.map(\.number)).count == 3)
    #expect(kinds(trails[0]) == ["`interval`", "`end`"])
    #expect(trails.allSatisfy { $0.isComplete && $0.hops.first?.beginning == "sent by its timer" })
  }

  @Test func anInnerTimerKnowsWhoMadeIt() throws {
    let scheduler = scheduler
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").map { $0 }
        .flatMapLatest { number in Signal.timer(after: .milliseconds(2), on: scheduler).map { _ in number } }
        .named("end").subscribe { _ in }.store(in: bag)
      return {
        source.send(1)
        try scheduler.advance(by: .milliseconds(3))
      }
    }
    try #require(trails.count == 1)
    #expect(kinds(trails[0]) == ["`source`", "`map`", "`timer`", "`map`", "`end`"])
    #expect(trails[0].isComplete)
  }

  @Test func whatANewSubscriptionIsGiven() throws {
    let trails = try trails("end") {
      let value = Property(1)
      return { recorder.record { value.signal.map { $0 }.named("end").subscribe { _ in }.store(in: bag) } }
    }
    try #require(trails.count == 1)
    #expect(trails[0].hops.last?.beginning == "given to a new subscription")
  }

  @Test func throughShare() throws {
    let trails = try trails("end") {
      let source = Emitter<Int>()
      source.signal.named("source").share().map { $0 }.named("end").subscribe { _ in }.store(in: bag)
      return { source.send(1) }
    }
    #expect(kinds(trails.first) == ["`source`", "`share`", "`end`"])
    #expect(Set(trails.first?.hops.map(\.cause) ?? []).count == 1)
  }

  @Test func nothingIsNotedBeforeAndAfter() throws {
    let source = recorder.record { Emitter<Int>() }
    recorder.record { source.signal.receive(on: scheduler).named("end").subscribe { _ in }.store(in: bag) }
    source.send(1)
    #expect(recorder.snapshot().nodes.allSatisfy { $0.causes == nil && $0.lastEventAt == nil })
    recorder.traceHandlers(true)
    source.send(2)
    #expect(recorder.snapshot().nodes.contains { $0.causes != nil && $0.lastEventAt != nil })
    recorder.traceHandlers(false)
    #expect(recorder.snapshot().nodes.allSatisfy { $0.causes == nil && $0.lastEventAt == nil })
    source.send(3)
    #expect(recorder.snapshot().nodes.allSatisfy { $0.causes == nil })
    #expect(recorder.snapshot().nodes.first { $0.definition == 1 }.map(\.valueCount) != nil)
  }

  @Test func onlyTheLastFewAreKept() throws {
    _ = try trails("end") {
      let source = Emitter<Int>()
      source.signal.map { $0 }.named("end").subscribe { _ in }.store(in: bag)
      return { for number in 0..<1_000 { source.send(number) } }
    }
    #expect(recorder.snapshot().nodes.map { $0.causes?.count } == [8, 8, 8])
    #expect(recorder.snapshot().nodes.map(\.valueCount) == [1_000, 1_000, 1_000])
  }

  @Test func valuesThatWaitedBeforeTracingBeganAreNotMixedUp() throws {
    let source = recorder.record { Emitter<Int>() }
    recorder.record {
      source.signal.named("source").receive(on: scheduler).named("end").subscribe { _ in }.store(in: bag)
    }
    source.send(1)
    recorder.traceHandlers(true)
    source.send(2)
    try scheduler.advance()
    let sent = recorder.snapshot().nodes.first { $0.name == "source" }?.causes?.map(\.number)
    #expect(sent?.count == 1)
    #expect(known("end").first?.number == sent?.first)
    #expect(known("end").count == 2)
  }
}
