import SignalFindings
import SignalGraph
import SignalRecording
import Signals
import Synchronization
import Testing

@Suite("feedback-loop") struct FeedbackLoopRuleTests {
  private let bag = DisposeBag()

  /// What is found when handlers are traced for a second in which a closure runs.
  private func findings(_ make: () -> () -> Void) -> [Finding] {
    let recorder = GraphRecorder()
    let run = recorder.record(make)
    recorder.traceHandlers(true)
    var before = recorder.snapshot()
    before.takenAt = 0
    run()
    var after = recorder.snapshot()
    after.takenAt = 1
    return Rules.findings(in: Observation(after, since: before))
  }

  /// Sends on while a number is below a limit.
  private func pass(_ number: Int, to target: Emitter<Int>) {
    if number < 200 { target.send(number + 1) }
  }

  @Test func twoHandlersThatSendToEachOthersSource() throws {
    let found = findings {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      first.signal.map { $0 }.subscribe { pass($0, to: second) }.store(in: bag)
      second.signal.subscribe { pass($0, to: first) }.store(in: bag)
      return { first.send(0) }
    }
    try #require(found.map(\.rule) == ["feedback-loop"])
    #expect(found[0].place.line == #line - 6 || found[0].place.line == #line - 5)
    #expect(found[0].related.count == 1)
    #expect(found[0].message.contains("values a second, and the loop itself sends them"))
    #expect(found[0].message.contains("which leads back to it by way of another `emitter` of that location: "))
  }

  @Test func whatALoopCausesBelowItIsPartOfItsFinding() throws {
    let scheduler = VirtualTimeScheduler()
    let found = findings {
      let (source, other) = (Emitter<Int>(), Emitter<Int>())
      source.signal.subscribe { pass($0, to: source) }.store(in: bag)
      source.signal.debounce(for: .milliseconds(300), on: scheduler).subscribe { _ in }.store(in: bag)
      other.signal.debounce(for: .milliseconds(300), on: scheduler).subscribe { _ in }.store(in: bag)
      for number in 0..<600 { other.send(number) }
      for number in 200..<1_200 { source.send(number) }
      return {
        for number in 0..<150 { other.send(number) }
        source.send(0)
      }
    }
    #expect(found.map(\.rule) == ["feedback-loop", "starved"])
    let consequence = try #require(found.first?.related.last)
    #expect(consequence.message.hasPrefix("a consequence: this `debounce` got 201 values"))
    #expect(consequence.place.line == #line - 12)
    bag.disposeAll()
  }

  /// Findings of one severity: first that through which most values passed.
  @Test func theCostlierOfTwoIsFirst() {
    let scheduler = VirtualTimeScheduler()
    let found = findings {
      let (few, many) = (Emitter<Int>(), Emitter<Int>())
      for source in [few, many] {
        source.signal.map { $0 }.debounce(for: .milliseconds(300), on: scheduler).subscribe { _ in }.store(in: bag)
      }
      let shown = few.signal.combineLatest(few.signal.map { -$0 })
      shown.subscribe { _ in }.store(in: bag)
      many.signal.map { $0 }.combineLatest(many.signal).subscribe { _ in }.store(in: bag)
      for number in 0..<600 { few.send(number) }
      for number in 0..<3_600 { many.send(number) }
      return {
        for number in 0..<150 { few.send(number) }
        for number in 0..<900 { many.send(number) }
      }
    }
    #expect(found.map(\.rule) == ["glitch", "glitch", "starved"])
    #expect(found.first.map { $0.place.line } == #line - 9)
    bag.disposeAll()
  }

  @Test func aHandlerThatSendsToItsOwnSource() {
    let found = findings {
      let source = Emitter<Int>()
      source.signal.subscribe { pass($0, to: source) }.store(in: bag)
      return { source.send(0) }
    }
    #expect(found.map(\.rule) == ["feedback-loop"])
    #expect(
      found.first?.message
        == "this handler sends to `emitter` at FeedbackLoopRuleTests.swift:\(#line - 5), which calls it: 201 values a second, and the loop itself sends them"
    )
  }

  /// Handlers whose tasks send: each once for each value, or one of them on and on.
  @Test(arguments: [true, false]) func handlersWhoseTasksSend(isOncePerValue: Bool) async throws {
    var found: [Finding] = []
    // A task that comes late counts as paced, so a busy machine gets several chances.
    for _ in 0..<20 where found.isEmpty { found = await findings(isOncePerValue: isOncePerValue) }
    #expect(found.map(\.rule) == (isOncePerValue ? ["feedback-loop"] : []))
  }

  private func findings(isOncePerValue: Bool) async -> [Finding] {
    let recorder = GraphRecorder()
    let (first, second) = recorder.record { (Emitter<Int>(), Emitter<Int>()) }
    let (ended, end) = AsyncStream<Never>.makeStream()
    @Sendable func pass(_ number: Int, to target: Emitter<Int>) {
      if number < 60 { target.send(number + 1) } else { end.finish() }
    }
    recorder.record {
      if isOncePerValue {
        first.signal.map { $0 }.subscribe { number in Task { pass(number, to: second) } }.store(in: bag)
        second.signal.subscribe { number in Task { pass(number, to: first) } }.store(in: bag)
      } else {
        // The first value starts a task that sends all the others.
        first.signal.subscribe { number in
          if number == 0 { Task { for number in 0...60 { pass(number, to: first) } } }
        }.store(in: bag)
      }
    }
    recorder.traceHandlers(true)
    var before = recorder.snapshot()
    before.takenAt = 0
    first.send(0)
    for await _ in ended {}
    var after = recorder.snapshot()
    after.takenAt = 1
    return Rules.findings(in: Observation(after, since: before))
  }

  /// A loop that a task paces, as a game does its frames.
  @Test func aTaskThatWaitsPacesTheLoop() async {
    let recorder = GraphRecorder()
    let (ended, end) = AsyncStream<Never>.makeStream()
    let steps = recorder.record {
      let steps = Emitter<Int>()
      steps.signal.subscribe { number in
        Task {
          try await Task.sleep(for: .milliseconds(14))
          if number < 30 { steps.send(number + 1) } else { end.finish() }
        }
      }.store(in: bag)
      return steps
    }
    recorder.traceHandlers(true)
    var before = recorder.snapshot()
    before.takenAt = 0
    steps.send(0)
    for await _ in ended {}
    var after = recorder.snapshot()
    after.takenAt = 1
    #expect(after.nodes.contains { $0.valueCount == 31 })
    #expect(Rules.findings(in: Observation(after, since: before)) == [])
  }

  /// A reducer: actions drive it, and the state is only sampled.
  @Test func sampledInputClosesNoLoop() {
    let found = findings {
      let (actions, state) = (Emitter<Int>(), Property(0))
      actions.signal.withLatest(from: state.signal).map { $0 + $1 }.subscribe { state.value = $0 }.store(in: bag)
      let (jobs, ticks) = (Emitter<Int>(), Emitter<Int>())
      jobs.signal.collect(by: ticks.signal).subscribe { jobs.send($0.count) }.store(in: bag)
      jobs.signal.sample(by: ticks.signal).subscribe { jobs.send($0) }.store(in: bag)
      let shown = Property(0)
      zip(ticks.signal, shown.signal).subscribe { shown.value = $1 + 1 }.store(in: bag)
      return {
        for number in 0..<100 {
          actions.send(number)
          ticks.send(number)
        }
      }
    }
    #expect(found.filter { $0.rule == "feedback-loop" } == [])
  }

  @Test func aHopOnTheWayDoesNotHideTheLoop() throws {
    let scheduler = VirtualTimeScheduler()
    let found = findings {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      first.signal.receive(on: scheduler).subscribe { pass($0, to: second) }.store(in: bag)
      second.signal.receive(on: scheduler).subscribe { pass($0, to: first) }.store(in: bag)
      return {
        first.send(0)
        try? scheduler.advance(by: .milliseconds(1))
      }
    }
    #expect(found.map(\.rule) == ["feedback-loop"])
  }

  /// Two that send in turn, and wait in between.
  private func pump(waiting interval: Duration) -> [Finding] {
    let scheduler = VirtualTimeScheduler()
    return findings {
      let (chunks, acknowledged) = (Emitter<Int>(), Emitter<Int>())
      acknowledged.signal.delay(for: interval, on: scheduler).map { $0 + 1 }.subscribe { pass($0, to: chunks) }
        .store(in: bag)
      chunks.signal.subscribe { pass($0, to: acknowledged) }.store(in: bag)
      return {
        chunks.send(0)
        try? scheduler.advance(by: interval * 40)
      }
    }
  }

  @Test func aLoopThatADelayPacesIsAPump() {
    #expect(pump(waiting: .milliseconds(30)) == [])
    #expect(pump(waiting: .milliseconds(2)).map(\.rule) == ["feedback-loop"])
  }

  private enum Fetching: CaseIterable {
    case mapAsync, async, latestAsync, asyncAtTimes, map, just, closure
  }

  /// Tasks take an unknown time.
  @Test("a loop in which a task is started for each value is a pump", arguments: Fetching.allCases)
  private func loopThroughTasks(_ fetching: Fetching) {
    let scheduler = VirtualTimeScheduler()
    let found = findings {
      let (links, pages) = (Emitter<Int>(), Emitter<Int>())
      let fetched =
        switch fetching {
        case .mapAsync: links.signal.mapAsync(executor: scheduler) { $0 }
        case .async: links.signal.flatMap { link in Signal.async(executor: scheduler) { link }.map { $0 } }
        case .latestAsync: links.signal.flatMapLatest { link in Signal.async(executor: scheduler) { link } }
        case .asyncAtTimes:
          links.signal.flatMap { link in link > 190 ? Signal.async(executor: scheduler) { link } : .just(link) }
        case .map: links.signal.map { $0 }
        case .just: links.signal.flatMap { link in Signal.just(link) }
        case .closure: links.signal.flatMap { link in Signal { producer in producer.send(link) } }
        }
      fetched.subscribe { pass($0, to: pages) }.store(in: bag)
      pages.signal.subscribe { pass($0, to: links) }.store(in: bag)
      return {
        links.send(0)
        try? scheduler.advance()
      }
    }
    let isPump = [.mapAsync, .async, .latestAsync].contains(fetching)
    #expect(found.map(\.rule) == (isPump ? [] : ["feedback-loop"]))
  }

  @Test func whatTheLoopCostsTheMainThreadIsToldOnce() {
    let found = findings {
      let source = Emitter<Int>()
      source.signal.subscribe { number in
        let end = ContinuousClock.now + .milliseconds(2)
        while ContinuousClock.now < end {}
        pass(number, to: source)
      }.store(in: bag)
      return { source.send(0) }
    }
    #expect(found.map(\.rule) == ["feedback-loop"])
    #expect(
      found.first?.remedy
        == "do not send a source values that derive from its own: derive them with `map` or `scan` below it, or send them to another source; if the loop would "
        + "settle, `removeDuplicates()` above the handler stops unchanged values"
    )
  }

  @Test func aBindingThatSettlesIsNoLoop() {
    let found = findings {
      let (celsius, fahrenheit) = (
        Property(removingDuplicates: 0.0), Property(removingDuplicates: 32.0)
      )
      celsius.signal.subscribe { fahrenheit.value = $0 * 9 / 5 + 32 }.store(in: bag)
      fahrenheit.signal.subscribe { celsius.value = ($0 - 32) * 5 / 9 }.store(in: bag)
      return { for degree in 1...200 { celsius.value = Double(degree) } }
    }
    #expect(found == [])
  }

  @Test func aHandlerThatSendsOnToAnotherSourceIsNoLoop() {
    let found = findings {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      first.signal.subscribe { second.send($0) }.store(in: bag)
      second.signal.subscribe { _ in }.store(in: bag)
      return { for number in 0..<200 { first.send(number) } }
    }
    #expect(found == [])
  }

  /// Which of several sources above a hop a handler sends to: the one that noted it, or else the one that is no emitter.
  @Test(arguments: [true, false]) func aSendIsCreditedToItsSourceBelowAJoinAndAHop(isEmitter: Bool) {
    let found = findings {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      let stored = Mutex<Producer<Int>?>(nil)
      let other = isEmitter ? second.signal : Signal { producer in stored.withLock { $0 = producer } }
      first.signal.subscribe { number in
        if isEmitter { second.send(number) } else { stored.withLock { $0 }?.send(number) }
      }.store(in: bag)
      first.signal.merge(with: other).receive(on: VirtualTimeScheduler()).subscribe { _ in }.store(in: bag)
      return { for number in 0..<100 { first.send(number) } }
    }
    #expect(found == [])
  }

  @Test func aSlowLoopIsNone() {
    let found = findings {
      let source = Emitter<Int>()
      source.signal.subscribe { if $0 < 10 { source.send($0 + 1) } }.store(in: bag)
      return { source.send(0) }
    }
    #expect(found == [])
  }

  @Test func aLoopOverValuesThatResumesLateIsNone() {
    let found = findings {
      let source = Emitter<Int>()
      let values = source.signal.values().makeAsyncIterator()
      return {
        for number in 0..<200 { source.send(number) }
        withExtendedLifetime(values) {}
      }
    }
    #expect(!found.contains { $0.rule == "feedback-loop" }, "\(found)")
  }

  @Test func aSendIsCountedOnceHoweverManySubscribe() {
    let scheduler = VirtualTimeScheduler()
    let found = findings {
      let bus = Emitter<Int>()
      bus.signal.receive(on: scheduler).subscribe { if $0 > 0, $0 % 20 == 0 { bus.send(-1) } }.store(in: bag)
      for _ in 0..<20 { bus.signal.subscribe { _ in }.store(in: bag) }
      return {
        for number in 1...200 { bus.send(number) }
        try? scheduler.advance()
      }
    }
    #expect(found == [])
  }

  @Test func whatHandlersOutsideOfTheLoopSendDrivesIt() {
    let found = findings {
      let (clock, bus) = (Emitter<Int>(), Emitter<Int>())
      clock.signal.subscribe { bus.send($0) }.store(in: bag)
      bus.signal.subscribe { if $0 > 0, $0 % 20 == 0 { bus.send(-1) } }.store(in: bag)
      return { for number in 1...200 { clock.send(number) } }
    }
    #expect(found == [])
  }

  @Test func sendsOfAHandlerAreCountedWhereItIsCalledFromAnother() throws {
    let recorder = GraphRecorder()
    let first = recorder.record {
      let (first, second) = (Emitter<Int>(), Emitter<Int>())
      first.signal.subscribe { second.send($0) }.store(in: bag)
      // Inside the source its values wait, and are delivered in the call of the handler above.
      second.signal.subscribe { if $0 < 1_000 { second.send($0 + 1_000) } }.store(in: bag)
      for _ in 0..<3 { second.signal.subscribe { _ in }.store(in: bag) }
      return first
    }
    recorder.traceHandlers(true)
    for number in 0..<10 { first.send(number) }
    let counts = recorder.snapshot().edges.filter { $0.kind == .feedback }.map(\.count)
    #expect(counts == [10, 10])
  }
}
