import SignalFindings
import SignalGraph
import Signals
import Synchronization
import Testing

@Suite("Findings about how subscriptions ended")
struct EndingRuleTests {
  private struct Broken: Error {}

  /// What is found in a graph that a closure makes.
  private func findings(_ body: () -> Void) -> [Finding] {
    let recorder = GraphRecorder()
    recorder.record { UnhandledFailure.withHandler({ _ in }, operation: body) }
    return Rules.findings(in: Observation(recorder.snapshot()))
  }

  @Test func aDroppedTokenIsFound() {
    let source = Emitter<Int>()
    var line: UInt = 0
    var found: [Finding] = []
    // It has to end within 10 ms: a busy machine gets several chances.
    for _ in 0..<100 where found.isEmpty {
      found = findings {
        _ = source.signal.map { $0 + 1 }.subscribe { print($0) }; line = #line
        source.send(1)
      }
    }
    #expect(found.map(\.rule) == ["unused-subscription"])
    #expect(found.map(\.place) == [Place(fileID: #fileID, line: Int(line), function: "aDroppedTokenIsFound()")])
  }

  @Test func aSubscriptionThatGotAValueIsNoDroppedToken() {
    let source = Property(1)
    #expect(findings { _ = source.signal.subscribe { _ in } } == [])
  }

  /// It has to end within 10 ms: a busy machine gets several chances.
  @Test func aBagThatNobodyKeepsIsFound() {
    let source = Emitter<Int>()
    func found() -> [String] {
      findings {
        let bag = DisposeBag()
        source.signal.map { $0 + 1 }.subscribe { print($0) }.store(in: bag)
      }.map(\.rule)
    }
    #expect((0..<100).contains { _ in found() == ["unused-subscription"] })
  }

  @Test func whatTheProgramDisposesIsNoDroppedToken() {
    let source = Emitter<Int>()
    let found = findings {
      source.signal.subscribe { _ in }.dispose()
      let bag = DisposeBag()
      source.signal.map { $0 + 1 }.subscribe { _ in }.store(in: bag)
      bag.disposeAll()
    }
    #expect(found == [])
  }

  @Test func aReleasedIteratorIsNoDroppedToken() {
    let source = Emitter<Int>()
    #expect(findings { _ = source.signal.values().makeAsyncIterator() } == [])
  }

  @Test func aTokenThatIsKeptElsewhereIsNoDroppedToken() {
    let source = Emitter<Int>()
    let bag = DisposeBag()
    let found = findings {
      func subscribe() -> Subscription { source.signal.subscribe { _ in } }
      _ = subscribe()
      subscribe().store(in: bag)
    }
    #expect(found == [])
  }

  @Test func aLateSubscriberIsFound() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      source.finish()
      source.signal.map { $0 + 1 }.subscribe { print($0) }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["late-subscriber"])
    #expect(found.first?.place.line == #line - 3)
    #expect(found.first?.related.map(\.message) == ["`emitter` has finished"])
    #expect(found.first?.related.map(\.place.line) == [#line - 7])
  }

  /// It got a value, which did not pass.
  @Test func whoRejectsAReplayedValueIsNotLate() {
    let bag = DisposeBag()
    func found(sending value: Int?) -> [String] {
      findings {
        let source = Emitter<Int>(replay: 1)
        if let value { source.send(value) }
        source.finish()
        source.signal.filter { $0 > 9 }.subscribe { _ in }.store(in: bag)
        source.signal.filter { $0 > 9 }.receive(on: .immediate).subscribe { _ in }.store(in: bag)
      }.map(\.rule)
    }
    #expect(found(sending: 7) == [])
    #expect(found(sending: nil) == ["late-subscriber", "late-subscriber"])
  }

  @Test func whoComesLateToASharedSourceIsFound() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      let login = source.signal.prefix(1).share()
      login.subscribe { _ in }.store(in: bag)
      source.send(7)
      source.finish()
      login.map { "\($0)" }.subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["late-subscriber"])
    #expect(found.first?.place.line == #line - 3)
    #expect(found.first?.related.map(\.message) == ["`emitter` has finished"])
  }

  private enum Lateness: CaseIterable {
    case late, enoughValues, remembered, rejected, fewValues, valueMeanwhile, secondSubscription, justMade
  }

  @Test(arguments: Lateness.allCases)
  private func aFirstSubscriptionAfterAllValuesIsFound(_ lateness: Lateness) throws {
    let (bag, program) = (DisposeBag(), WatchedProgram())
    var line = 0
    let count = [.enoughValues: 3, .fewValues: 2][lateness] ?? 6
    // The replayed value does not pass the filter.
    let limit = lateness == .rejected ? 9 : 3
    let results = program.make {
      let results = Emitter<Int>(replay: [.remembered: 9, .rejected: 1][lateness] ?? 0)
      if lateness == .secondSubscription { results.signal.subscribe { _ in }.dispose() }
      for value in 1...count { results.send(value) }
      results.signal.filter { $0 > limit }.receive(on: .immediate).subscribe { _ in }.store(in: bag); line = #line
      return results
    }
    let found = program.findings(for: lateness == .justMade ? 5 : 12) {
      if lateness == .valueMeanwhile { results.send(7) }
    }
    #expect(found.map(\.rule) == ([.late, .enoughValues].contains(lateness) ? ["late-subscriber"] : []))
    guard let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(
      first.message
        == "\(count) values were sent to `emitter` before this first subscription, and none since")
    #expect(
      first.remedy
        == "subscribe before the values are sent, or let the source replay them: `Emitter(replay: 1)`, `Property`, `share(replay: 1)` for the last one; a larger `replay:` for more of the \(count)"
    )
  }

  /// Others got the values, though nothing is left of them.
  @Test(arguments: [false, true]) func whoComesAfterOthersIsNotLate(isFirst: Bool) {
    let (recorder, bag) = (GraphRecorder(endedLimit: 0), DisposeBag())
    let results = recorder.record { Emitter<Int>() }
    if !isFirst { recorder.record { results.signal.subscribe { _ in } }.dispose() }
    for value in 1...6 { results.send(value) }
    recorder.record { results.signal.map { $0 }.subscribe { _ in }.store(in: bag) }
    let before = recorder.snapshot()
    var after = before
    after.takenAt += 12
    let found = Rules.findings(in: Observation(after, since: before))
    #expect(found.map(\.rule) == (isFirst ? ["late-subscriber"] : []))
  }

  /// A loop, or `firstValue()`, waits for a value that was the only one.
  @Test(arguments: [false, true]) func whoAwaitsAValueThatWasSentBeforeIsFound(isLoop: Bool) {
    let (recorder, bag) = (GraphRecorder(), DisposeBag())
    let released = recorder.record { Emitter<String>() }
    released.send("D-AIMA")
    recorder.record { released.signal.map { $0 }.subscribe { _ in }.store(in: bag) }
    var before = recorder.snapshot()
    for index in before.definitions.indices where before.definitions[index].kind == "subscribe" {
      before.definitions[index].isLoop = isLoop
    }
    var after = before
    after.takenAt += 12
    let found = Rules.findings(in: Observation(after, since: before))
    #expect(found.map(\.rule) == (isLoop ? ["late-subscriber"] : []))
    #expect(
      found.first?.message
        ?? "1 value was sent to `emitter` before this first subscription, and none since"
        == "1 value was sent to `emitter` before this first subscription, and none since")
  }

  @Test(arguments: [false, true]) func valuesSentAfterTheEndAreFound(isFailed: Bool) {
    let bag = DisposeBag()
    let found = findings {
      let (readings, stopping) = (Emitter<Int>(), Emitter<Int>())
      for source in [readings, stopping] {
        source.signal.subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
        source.send(1)
      }
      if isFailed { readings.fail(Broken()) } else { readings.finish() }
      stopping.finish()
      for value in 1...3 { readings.send(value) }
      stopping.send(1)
    }
    #expect(found.map(\.rule) == ["sent-after-end"])
    #expect(found.first?.place.line == #line - 11)
    #expect(
      found.first?.message
        == "3 values were sent to `emitter` after it had \(isFailed ? "failed" : "finished"): they were dropped")
  }

  private final class Producers: Sendable {
    let all = Mutex<[Producer<Int>]>([])
  }

  /// What a `Signal { }` works on for a subscription that has ended, unless it is only a moment late, or stops with it.
  @Test(arguments: [true, false]) func workForASubscriptionThatHasEndedIsFound(goesOn: Bool) throws {
    let (shelves, program) = (Emitter<Int>(), WatchedProgram())
    let (producers, bag) = (Producers(), DisposeBag())
    let tags = Signal<Int> { producer in
      producers.all.withLock { $0.append(producer) }
      // A loop may ignore that nobody takes more: that ends here.
      for value in 1...10 { producer.send(value) }
    }
    program.make {
      shelves.signal.flatMapLatest { _ in tags.drop(while: { $0 < 5 }) }.subscribe { _ in }.store(in: bag)
    }
    for shelf in 1...3 { shelves.send(shelf) }
    let found = program.findings {
      let all = producers.all.withLock { $0 }
      for value in 1...5 { for producer in goesOn ? all : all.suffix(1) { producer.send(value) } }
      shelves.send(4)
      all.last?.send(1)
    }
    #expect(
      found.map(\.message)
        == (goesOn
          ? ["this `Signal` sent 10 values in 10 s after the subscriptions had ended: it keeps working"] : []))
    #expect(found.map(\.place.line) == (goesOn ? [#line - 19] : []))
  }

  /// A loop in the closure may ignore that its subscriber takes no more: only what comes after `subscribe` has returned is counted.
  @Test func valuesSentInsideSubscribeAfterTheEndAreNotCounted() {
    let (producers, program) = (Producers(), WatchedProgram())
    let numbers = Signal<Int> { producer in
      producers.all.withLock { $0.append(producer) }
      for value in 1...10 { producer.send(value) }
    }
    func dropped() -> [UInt64] { program.recorder.snapshot().nodes.compactMap(\.dropped) }
    let subscription = program.make { numbers.prefix(2).subscribe { _ in } }
    #expect(dropped() == [])
    producers.all.withLock { $0 }.first?.send(11)
    #expect(dropped() == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test func aBindingThatEndsItsTargetIsNamed() throws {
    let bag = DisposeBag()
    let (bus, run) = (Emitter<Int>(), Emitter<Int>())
    let found = findings {
      bus.signal.subscribe { _ in }.store(in: bag)
      run.signal.bind(to: bus, includingEnd: true).store(in: bag)
      run.send(1)
      run.finish()
      for value in 0..<5 { bus.send(value) }
    }
    try #require(found.map(\.rule) == ["sent-after-end"])
    #expect(
      found[0].related.map(\.message) == ["this binding has ended; with `includingEnd: true` it ends `emitter` too"])
    #expect(found[0].related.map(\.place.line) == [#line - 8])
    #expect(found[0].remedy.hasPrefix("leave out `includingEnd: true`"))
  }

  @Test func whoSharesASourceThatHasEndedIsFound() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      source.send(7)
      source.finish()
      source.signal.share().subscribe { _ in }.store(in: bag)
      source.signal.share().map { "\($0)" }.share().subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["late-subscriber", "late-subscriber"])
    #expect(found.map { $0.place.line } == [#line - 4, #line - 3])
  }

  @Test func whoSharesASourceThatRemembersIsNotLate() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>(replay: 1)
      source.send(7)
      source.finish()
      source.signal.share().subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func whatASharedSourceRemembersIsNotLate() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      let login = source.signal.share(replay: 1)
      login.subscribe { _ in }.store(in: bag)
      source.send(7)
      login.map { "\($0)" }.subscribe { _ in }.store(in: bag)
      source.finish()
    }
    #expect(found == [])
  }

  @Test func whoWaitsForTheEndIsNotLate() {
    let bag = DisposeBag()
    let found = findings {
      let ready = Emitter<Int>()
      ready.finish()
      ready.signal.subscribe(onValue: { _ in }, onFinish: {}).store(in: bag)
      ready.signal.map { $0 + 1 }.subscribe(onFinish: {}).store(in: bag)
      ready.signal.subscribeToEvents { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test(arguments: [false, true])
  func whoComesLateBeforeAHopIsFound(isAlreadyDelivered: Bool) throws {
    let (bag, scheduler) = (DisposeBag(), VirtualTimeScheduler())
    let found = findings {
      let user = Emitter<Int>()
      user.finish()
      user.signal.receive(on: scheduler).subscribe { _ in }.store(in: bag)
      user.signal.map { $0 + 1 }.receive(on: scheduler).subscribe { _ in }.store(in: bag)
      user.signal.debounce(for: .milliseconds(300), on: scheduler).subscribe { _ in }.store(in: bag)
      if isAlreadyDelivered { try? scheduler.advance(by: .seconds(1)) }
    }
    #expect(found.map(\.rule) == (isAlreadyDelivered ? ["late-subscriber", "late-subscriber", "late-subscriber"] : []))
    bag.disposeAll()
  }

  @Test func aSourceThatNobodyKeptIsNamed() {
    let bag = DisposeBag()
    let found = findings {
      func names() -> Signal<String> { Emitter<String>().signal }
      names().map { $0 }.subscribe { _ in }.store(in: bag)
    }
    #expect(found.map(\.rule) == ["late-subscriber"])
    #expect(found.first?.remedy == "retain the source while it must send: a signal does not retain its emitter")
    #expect(found.first?.related.map(\.message) == ["`emitter` was released, so it has finished"])
  }

  @Test func anOwnerThatIsGoneBeforeTheFirstValueIsFound() {
    final class Controller: Sendable {
      func start(_ ticks: Signal<Int>) { ticks.map { $0 }.subscribe(with: self) { _, _ in } }
    }
    let source = Emitter<Int>()
    func look() -> (found: [Finding], counts: [UInt64]) {
      let recorder = GraphRecorder()
      recorder.record {
        Controller().start(source.signal)
        source.send(1)
      }
      let snapshot = recorder.snapshot()
      let lines = Dictionary(snapshot.definitions.map { ($0.id, $0.kind) }) { first, _ in first }
      return (
        Rules.findings(in: Observation(snapshot)),
        snapshot.nodes.filter { lines[$0.definition] == "subscribe" }.map(\.valueCount)
      )
    }
    // It has to end within 10 ms: a busy machine gets several chances.
    let seen = (0..<100).lazy.map { _ in look() }.first { $0.found != [] }
    #expect(seen?.found.map(\.rule) == ["unused-subscription"])
    #expect(
      seen?.found.first?.message
        == "this subscription ended before the first value, because its owner, `Controller`, or its bag was released"
    )
    #expect(seen?.counts == [0])
  }

  /// An operator is no subscriber, whatever it is called.
  @Test func anInnerSignalWhoseSourceHasEndedIsNoSubscriber() {
    let bag = DisposeBag()
    let found = findings {
      let ended = Emitter<Int>()
      ended.finish()
      Property(1).signal
        .flatMap { _ in
          let site = Site("bindingOfMine", fileID: #fileID, line: #line, function: #function)
          return ended.signal.lift(site, state: ()) { _, value, downstream in try downstream.send(value) }
        }
        .subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func aSubscriberInTimeIsNotLate() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      source.signal.subscribe { _ in }.store(in: bag)
      source.finish()
    }
    #expect(found == [])
  }

  @Test func aSubscriberThatGetsARememberedValueIsNotLate() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>(replay: 1)
      source.send(1)
      source.finish()
      source.signal.subscribe { _ in }.store(in: bag)
    }
    #expect(found == [])
  }

  @Test func anUnhandledFailureIsFound() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      source.signal.subscribe { print($0) }.store(in: bag)
      source.fail(Broken())
      // More than are kept.
      for _ in 0..<300 { Signal.just(1).subscribe { _ in }.store(in: bag) }
    }
    #expect(found.map(\.rule) == ["unhandled-failure"])
    #expect(found.first?.severity == .error)
    #expect(found.first?.message == "this subscription ended with an unhandled failure: Broken()")
    #expect(found.first?.place.line == #line - 8)
  }

  @Test func theOperatorThatThrewIsNamedWithAnUnhandledFailure() {
    let bag = DisposeBag()
    let text = Property("")
    let found = findings {
      let source = Emitter<Int>()
      source.signal.map { if $0 > 1 { throw Broken() } else { "\($0)" } }.removeDuplicates().bind(to: text).store(
        in: bag)
      for value in 0..<3 { source.send(value) }
    }
    #expect(found.map(\.rule) == ["unhandled-failure"])
    #expect(found.first?.related.map(\.message) == ["`map` failed"])
  }

  @Test func aFailureThatIsHandledIsNotFound() {
    let bag = DisposeBag()
    let found = findings {
      let source = Emitter<Int>()
      source.signal.subscribe(onValue: { _ in }, onFailure: { _ in }).store(in: bag)
      source.fail(Broken())
    }
    #expect(found == [])
  }

  @Test(arguments: [false, true])
  func aSourceThatEndedBeforeItsFirstSubscriptionIsShownAsEnded(isFailed: Bool) throws {
    let (recorder, bag) = (GraphRecorder(), DisposeBag())
    let source = recorder.record { Emitter<Int>() }
    UnhandledFailure.withHandler({ _ in }) {
      recorder.record {
        if isFailed { source.fail(Broken()) } else { source.finish() }
        source.signal.subscribe { _ in }.store(in: bag)
      }
      let first = recorder.snapshot()
      let shown = try? #require(first.nodes.first { $0.since == nil })
      #expect(shown?.state == (isFailed ? .failed : .finished))
      #expect(shown?.failure == (isFailed ? "Broken()" : nil))
      // And still when nothing is kept any more of that first subscription.
      recorder.record {
        for _ in 0..<300 { Signal.just(1).subscribe { _ in }.store(in: bag) }
        source.signal.subscribe { _ in }.store(in: bag)
      }
      let again = recorder.snapshot().nodes.first { $0.id == shown?.id }
      #expect(again?.state == shown?.state)
    }
    let found = Rules.findings(in: Observation(recorder.snapshot()))
    #expect(Set(found.map(\.rule)) == (isFailed ? ["unhandled-failure", "late-subscriber"] : ["late-subscriber"]))
  }
}
