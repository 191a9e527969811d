import SignalFindings
import SignalGraph
import Signals
import Testing

extension Signal {
  fileprivate var asVoid: Signal<Void> { ignoreValues(as: Void.self) }
}

private enum Trace {
  @TaskLocal static var number = 0
}

@Suite("no-effect") struct NoEffectRuleTests {
  private let bag = DisposeBag()
  private let scheduler = VirtualTimeScheduler()

  /// What is found in a graph that a closure makes.
  private func findings(_ body: () -> Void) -> [Finding] {
    let recorder = GraphRecorder()
    recorder.record(body)
    return Rules.findings(in: Observation(recorder.snapshot()))
  }

  @Test func aSubscriptionThatDoesNothingIsFound() throws {
    let titles = Property("")
    var line: UInt = 0
    let found = findings {
      let calm = titles.signal.removeDuplicates().debounce(for: .seconds(1), on: scheduler)
      calm.subscribe().store(in: bag); line = #line
    }
    try #require(found.map(\.rule) == ["no-effect"])
    #expect(
      found[0].place == Place(fileID: #fileID, line: Int(line), function: "aSubscriptionThatDoesNothingIsFound()"))
    #expect(found[0].message == "this subscription has no closure, and its chain has no side effects")
    #expect(found[0].related.map(\.message) == ["the values come from `property`"])
    #expect(found[0].nodes.count == 1)
  }

  @Test(arguments: [(0.06, true), (0.06, false), (0.01, false)])
  func aBindingThatWorksForNobodyIsFound(seconds: Double, isUnheard: Bool) throws {
    let (source, forecast) = (Emitter<Int>(), Emitter<Int>())
    var line = 0
    let recorder = GraphRecorder()
    recorder.record {
      source.signal.map { $0 * 2 }.bind(to: forecast).store(in: bag); line = #line
      if !isUnheard, seconds > 0.05 { forecast.signal.subscribe { _ in }.dispose() }
      for value in 0..<12 { source.send(value) }
    }
    var graph = recorder.snapshot()
    let binding = try #require(graph.edges.first { $0.kind == .feedback }?.source)
    let index = try #require(graph.nodes.firstIndex { $0.id == binding })
    graph.nodes[index].handler = HandlerTimes(calls: 12, seconds: seconds)
    let found = Rules.findings(in: Observation(graph))
    #expect(found.map(\.rule) == (isUnheard ? ["no-effect"] : []))
    guard let first = found.first else { return }
    #expect(first.place.line == line)
    #expect(
      first.message
        == "this binding has sent 12 values to `emitter`, which never had a subscriber; computing one takes 5 ms")
  }

  @Test func eachInputCounts() {
    let (one, two) = (Emitter<Int>(), Emitter<Int>())
    #expect(
      findings { one.signal.withLatest(from: merge(one.signal, two.signal.dropFirst())).subscribe().store(in: bag) }
        .map(\.rule) == ["no-effect"])
    #expect(
      findings { one.signal.withLatest(from: merge(one.signal, two.signal.map { $0 + 1 })).subscribe().store(in: bag) }
        == [])
  }

  @Test func whatTheChainDoesIsAnEffect() {
    let source = Emitter<Int>()
    let found = findings {
      source.signal.handle(onValue: { print($0) }).subscribe().store(in: bag)
      source.signal.map { $0 + 1 }.subscribe().store(in: bag)
      source.signal.print().subscribe().store(in: bag)
      source.signal.mapAsync { $0 }.subscribe().store(in: bag)
      source.signal.filter { $0 > 1 }.subscribe().store(in: bag)
      source.signal.removeDuplicates { $0 == $1 }.subscribe().store(in: bag)
      source.signal.flatMapLatest { .just($0) }.subscribe().store(in: bag)
      // It keeps the shared signal running.
      source.signal.dropFirst().share().subscribe().store(in: bag)
      source.signal.multicast().autoconnect().subscribe().store(in: bag)
      // They begin with it.
      Signal<Int>.interval(every: .seconds(1), on: scheduler).subscribe().store(in: bag)
      Signal<Int> { producer in producer.own(source.signal.subscribe { producer.send($0) }) }.subscribe().store(in: bag)
      source.signal.prepend(1...2).subscribe().store(in: bag)
      // They can fail, which a subscription without a closure reports.
      source.signal.timeout(after: .seconds(1), on: scheduler).subscribe().store(in: bag)
      source.signal.receive(on: scheduler, overflow: .fail(9)).subscribe().store(in: bag)
      source.signal.buffer(while: .never(), overflow: .fail(9)).subscribe().store(in: bag)
      // What comes later may have an effect.
      source.signal.concat(.async { 1 }).subscribe().store(in: bag)
      source.signal.append(1).subscribe().store(in: bag)
      source.signal.ifEmpty(switchTo: .async { 1 }).subscribe().store(in: bag)
    }
    #expect(found == [])
  }

  @Test func operatorsWithoutClosureHaveNoEffect() {
    let (source, other, flag) = (Emitter<Int>(), Emitter<Int>(), Property(true))
    let limit = Property(removingDuplicates: 1)
    let numbers = source.signal
    let chains: [Signal<Void>] = [
      numbers.receive(on: scheduler).asVoid, numbers.receive(on: scheduler, carrying: Trace.$number).asVoid,
      numbers.subscribed(on: scheduler).asVoid, numbers.audit(for: .seconds(1), on: scheduler).asVoid,
      numbers.delayValues(for: .seconds(1), on: scheduler).asVoid, numbers.prepend(1, 2).asVoid,
      numbers.first().asVoid, numbers.last().asVoid, numbers.count().asVoid, numbers.min().asVoid,
      numbers.max().asVoid, numbers.contains(4).asVoid, numbers.collect().asVoid, numbers.collect(2).asVoid,
      numbers.collect(for: .seconds(1), on: scheduler).asVoid, numbers.collect(by: other.signal).asVoid,
      numbers.window(2).asVoid, numbers.window(for: .seconds(1), on: scheduler).asVoid,
      numbers.window(by: other.signal).asVoid, numbers.buffer(while: flag.signal).asVoid,
      numbers.drop(untilOutputFrom: other.signal).asVoid, numbers.prefix(untilOutputFrom: other.signal).asVoid,
      numbers.prefix(duringLifetimeOf: other).asVoid, numbers.replaceError(with: 0).asVoid,
      numbers.replaceEmpty(with: 0).asVoid, numbers.measureInterval(on: scheduler).asVoid,
      numbers.retry(1).asVoid, numbers.repeat(1).asVoid, numbers.sequenceEqual(other.signal).asVoid,
      forkJoin(numbers, other.signal).asVoid, forkJoin([numbers, other.signal]).asVoid,
      latestValues(of: [1: numbers, 2: other.signal]).asVoid, allSatisfy([flag.signal]).asVoid,
      anySatisfy([flag.signal]).asVoid, flag.changes.asVoid, limit.changes.asVoid,
      limit.combined(with: flag).changes.asVoid,
      limit.readOnly.removingDuplicates().changes.asVoid,
    ]
    for (index, chain) in chains.enumerated() {
      let found = findings {
        chain.subscribe().store(in: bag)
        // Only then `subscribed(on:)` has its input.
        try? scheduler.advance()
      }
      #expect(found.map(\.rule) == ["no-effect"], "chain \(index)")
    }
  }

  /// The snapshot no longer contains what a trigger was.
  @Test func evictedTriggerMayHaveHadAnEffect() throws {
    let (source, trigger, recorder) = (Emitter<Int>(), Emitter<Int>(), GraphRecorder())
    recorder.record {
      source.signal.drop(untilOutputFrom: trigger.signal).subscribe().store(in: bag)
    }
    var graph = recorder.snapshot()
    #expect(Rules.findings(in: Observation(graph)).map(\.rule) == ["no-effect"])
    graph.edges.removeAll { $0.kind == .trigger }
    #expect(Rules.findings(in: Observation(graph)) == [])
  }

  @Test func aClosureIsAnEffect() {
    let source = Emitter<Int>()
    let found = findings {
      source.signal.subscribe { _ in }.store(in: bag)
      source.signal.subscribe(onFailure: { _ in }).store(in: bag)
      source.signal.subscribe(onFinish: {}).store(in: bag)
      source.signal.subscribeToEvents { _ in }.store(in: bag)
      let target = Emitter<Int>()
      source.signal.bind(to: target).store(in: bag)
    }
    #expect(found == [])
  }

  @Test func whatHasEndedIsNotFound() {
    let source = Emitter<Int>()
    #expect(findings { source.signal.subscribe().dispose() } == [])
  }

  /// The mark of such a place changes neither the line nor where a failure is counted.
  @Test func itsPlaceIsAsThatOfOthers() throws {
    struct Broken: Error {}
    let recorder = GraphRecorder()
    let source = recorder.record { Emitter<Int>() }
    UnhandledFailure.withHandler({ #expect($0.site.line == #line + 1) }) {
      recorder.record { source.signal.subscribe().store(in: bag) }
      #expect(source.subscribers.map(\.line) == [#line - 1])
      source.fail(Broken())
    }
    let definitions = recorder.snapshot().definitions.filter { $0.kind == "subscribe" }
    #expect(definitions.map(\.line) == [#line - 5])
    #expect(definitions.map(\.isBare) == [true])
    #expect(definitions.map(\.ends?.unhandled) == [1])
    let json = try recorder.snapshot().json()
    #expect(try GraphSnapshot(json: json).definitions == recorder.snapshot().definitions)
    #expect(String(decoding: json, as: UTF8.self).ranges(of: "\"isBare\"").count == 1)
  }
}
