import OperatorTable
import Signals
import Synchronization
import Testing

/// The checklist that every operator goes through.
@Suite("Every operator")
struct OperatorTableTests {
  private let error = Failure(number: 1)

  @Test("never: nothing comes and nothing ends", arguments: operatorTable)
  func never(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let subscription = bench.signal().log(to: log)
    bench.prime()
    try bench.scheduler.advance(by: .seconds(1))
    #expect(row.model([]).starts(with: log.values))
    #expect(log.ends.isEmpty)
    #expect(!subscription.isDisposed)
  }

  @Test(
    "empty, one and many: the model's values and then the end (laws 1 and 16)", arguments: operatorTable,
    [[], [1], [1, 2, 3, 4, 5]])
  func regularEnd(row: OperatorRow, input: [Int]) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let subscription = bench.signal().log(to: log)
    bench.prime()
    try bench.send(input)
    try bench.end()
    #expect(log.events == row.model(input).map(Event.value) + [.finished])
    #expect(subscription.isDisposed)
  }

  @Test("the graph that is recorded changes nothing", arguments: operatorTable)
  func recorded(row: OperatorRow) throws {
    let recorder = GraphRecorder()
    try recorder.record {
      let bench = OperatorBench(row)
      let log = EventLog<Int>()
      let subscription = bench.subscribe(bench.signal(), log.append)
      bench.prime()
      try bench.send([1, 2, 3, 4, 5])
      try bench.end()
      #expect(log.events == row.model([1, 2, 3, 4, 5]).map(Event.value) + [.finished])
      #expect(subscription.isDisposed)
      #expect(bench.upstreamCount == 0)
      #expect(bench.life.alive == 0)
    }
    #expect(recorder.pendingWork.isEmpty)
  }

  @Test("two subscribers do not share state and see the same (law 2)", arguments: operatorTable)
  func twoSubscribers(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let logs = [EventLog<Int>(), EventLog<Int>()]
    let signal = bench.signal()
    let subscriptions = logs.map { signal.log(to: $0) }
    bench.prime()
    try bench.send(1, 2, 3)
    try bench.end()
    for log in logs { #expect(log.events == row.model([1, 2, 3]).map(Event.value) + [.finished]) }
    for subscription in subscriptions { #expect(subscription.isDisposed) }
  }

  @Test("error: passed on, or replaced", arguments: operatorTable)
  func failure(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let subscription = bench.signal().log(to: log)
    bench.prime()
    try bench.send(1, 2)
    try bench.end(.failed(error))
    let values = row.model([1, 2])
    let ends: [Event<Int>] = row.recovers ? [.value(99), .finished] : [.failed(error)]
    if values.last == 7 {
      // What follows the regular end does not follow a failure.
      #expect(log.events == values.dropLast().map(Event.value) + ends)
    } else if log.ends == [.finished], !row.recovers {
      // It had ended before the failure came.
      #expect(log.values == row.model([1, 2, 3]))
      #expect(row.model([1, 2, 3]) == row.model([1, 2]))
    } else {
      #expect(log.events == values.map(Event.value) + ends)
    }
    #expect(subscription.isDisposed)
  }

  @Test("endless source, disposed early from below: ends, and the source is left (law 9)", arguments: operatorTable)
  func endless(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let source = Signal<Int>.interval(every: .milliseconds(100), on: bench.scheduler)
    let count = min(2, row.model([0, 1, 2, 3, 4]).count)
    let subscription = bench.signal(from: source).prefix(count).log(to: log)
    bench.prime()
    try bench.scheduler.advance(by: .seconds(2))
    // An operator that waits for the source's end has not delivered what follows it.
    #expect(log.events == row.model([0, 1, 2, 3, 4]).prefix(count).map(Event.value) + [.finished])
    #expect(subscription.isDisposed)
    #expect(bench.scheduler.pendingCount == 0)
    #expect(bench.upstreamCount == 0)
  }

  @Test(
    "endless source that delivers at once, disposed early from below: ends (laws 7 and 9)",
    arguments: operatorTable.filter { !$0.timed && !$0.needsOther },
    [true, false])
  func endlessAtOnce(row: OperatorRow, isCustom: Bool) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let produced = Atomic<Int>(0)
    let isReleased = Box(false)
    let source: Signal<Int> =
      if isCustom {
        Signal { producer in
          producer.onDisposal { isReleased.value = true }
          var value = 0
          while producer.send(value) { value += 1 }
        }
      } else {
        .sequence(0...)
      }
    let counted = source.handle { _ in _ = produced.add(1, ordering: .relaxed) }
    let subscription = bench.signal(from: counted).prefix(3).log(to: log)
    #expect(log.values.count == 3)
    #expect(log.ends == [.finished])
    #expect(produced.load(ordering: .relaxed) <= 5)
    #expect(subscription.isDisposed)
    #expect(isReleased.value == isCustom)
  }

  @Test("disposal inside the handler on the k-th value: nothing more comes (law 7)", arguments: operatorTable, 1...5)
  func disposalInHandler(row: OperatorRow, position: Int) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = bench.subscribe(bench.signal()) { event in
      log.append(event)
      if log.values.count == position {
        subscription.value?.dispose()
      }
    }
    bench.prime()
    try bench.send(1, 2, 3, 4, 5)
    let total = row.model([1, 2, 3, 4, 5])
    // What comes at subscribing comes before there is a subscription to dispose.
    let isTooEarly = total.first == 50 && position == 1 || total.first == 7 && position == 1
    if isTooEarly || log.values.count < position { return }
    #expect(log.values == Array(total.prefix(position)))
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
    try bench.end(position.isMultiple(of: 2) ? .finished : .failed(error))
    #expect(log.values == Array(total.prefix(position)))
    #expect(log.ends.isEmpty || total.count == position)
  }

  @Test("disposal of both of two subscriptions by the first (law 7)", arguments: operatorTable)
  func disposalOfLater(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let bag = DisposeBag()
    let first = EventLog<Int>()
    let second = EventLog<Int>()
    let isArmed = Box(false)
    bench.subscribe(bench.signal()) { event in
      first.append(event)
      if isArmed.value { bag.disposeAll() }
    }.store(in: bag)
    bench.subscribe(bench.signal()) { second.append($0) }.store(in: bag)
    let before = second.events
    isArmed.value = true
    bench.prime()
    try bench.send(1, 2, 3)
    try bench.end()
    #expect(second.events == before)
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
  }

  @Test("throwing closure: the signal fails with that error (law 11)", arguments: operatorTable.filter(\.throwing))
  func throwing(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let subscription = bench.subscribe(
      bench.signal { if $0 == 3 { throw Failure(number: 3) } }, log.append)
    bench.prime()
    try bench.send(1, 2, 3)
    #expect(log.events == row.model([1, 2]).map(Event.value) + [.failed(Failure(number: 3))])
    #expect(subscription.isDisposed)
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
    try bench.send(4)
    try bench.end()
    #expect(log.ends.count == 1)
  }

  @Test("an error thrown below arrives once below and is not seen above (law 11)", arguments: operatorTable)
  func thrownBelow(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let seenAbove = Journal<String>()
    let thrown = Box(0)
    let upstream = bench.input.signal.handle(
      onFailure: { _ in seenAbove.append("failure") }, onFinish: { seenAbove.append("finish") })
    let subscription = bench.subscribe(
      bench.signal(from: upstream).map { value in
        if thrown.value == 0, value != 50, value != 7 {
          thrown.value = 1
          throw Failure(number: 2)
        }
        return value
      }, log.append)
    bench.prime()
    try bench.send(1, 2, 3)
    if thrown.value == 1 {
      #expect(log.ends == [.failed(Failure(number: 2))])
      #expect(log.events.last == .failed(Failure(number: 2)))
      #expect(seenAbove.entries.isEmpty)
      #expect(subscription.isDisposed)
      #expect(bench.upstreamCount == 0)
      #expect(bench.life.alive == 0)
      try bench.end()
      #expect(log.ends.count == 1)
    } else {
      #expect(row.model([1, 2, 3]).isEmpty)
    }
  }

  @Test("an error thrown below while everything comes at once (law 11)", arguments: operatorTable)
  func thrownBelowAtOnce(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let seenAbove = Journal<String>()
    let upstream = Signal<Int>.sequence([1, 2, 3]).handle(onFailure: { _ in seenAbove.append("failure") })
    let subscription = bench.subscribe(
      bench.signal(from: upstream).map { _ in throw Failure(number: 2) }, log.append)
    bench.prime()
    try bench.scheduler.advance(by: .seconds(1))
    #expect(log.values.isEmpty)
    #expect(log.events == [.failed(Failure(number: 2))] || log.events == [.finished])
    #expect(seenAbove.entries.isEmpty)
    #expect(subscription.isDisposed)
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
  }

  @Test("upstream released and nothing kept after each end (laws 7 and 9)", arguments: operatorTable, WayToEnd.allCases)
  func released(row: OperatorRow, way: WayToEnd) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    var subscription: Subscription? = bench.subscribe(
      way == .endedBelow ? bench.signal().prefix(1) : bench.signal(), log.append)
    if way != .endedBelow || log.ends.isEmpty {
      #expect(bench.upstreamCount > 0)
      #expect(bench.life.alive > 0)
    }
    bench.prime()
    bench.input.send(1)
    if way == .endedBelow { try bench.send(2) }
    // Values and timers may be on their way.
    switch way {
    case .finished: try bench.end(.finished)
    case .failed: try bench.end(.failed(error))
    case .disposed: subscription?.dispose()
    case .dropped: subscription = nil
    case .endedBelow: try bench.scheduler.advance(by: .milliseconds(100))
    }
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
    #expect(bench.scheduler.pendingCount == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "nested sends come right after the value that caused them (law 2)", arguments: operatorTable.filter { !$0.lossy })
  func nestedSends(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let isArmed = Box(false)
    let subscription = bench.subscribe(bench.signal()) { event in
      if isArmed.value {
        isArmed.value = false
        bench.input.send(10)
      }
      log.append(event)
    }
    bench.prime()
    let first = row.model([1]).isEmpty ? [3] : []
    try bench.send(first)
    isArmed.value = true
    try bench.send(1, 5, 6)
    try bench.end()
    #expect(log.values == row.model(first + [1, 10, 5, 6]))
    #expect(log.ends.count == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("sending the end inside the handler (laws 1 and 4)", arguments: operatorTable)
  func nestedEnd(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let log = EventLog<Int>()
    let isArmed = Box(false)
    let subscription = bench.subscribe(bench.signal()) { event in
      log.append(event)
      guard isArmed.value else { return }
      isArmed.value = false
      bench.other.finish()
      bench.input.finish()
      bench.input.send(11)
    }
    bench.prime()
    isArmed.value = true
    try bench.send(1, 2, 3)
    try bench.end()
    #expect(log.ends.count == 1)
    if case .value = log.events.last { Issue.record("the end is not the last event") }
    #expect(!log.values.contains(11))
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("several senders at once: no overlap, nothing after the end (laws 1 and 3)", arguments: operatorTable)
  func concurrentSenders(row: OperatorRow) throws {
    let bench = OperatorBench(row)
    let check = GrammarCheck<Int>()
    let spin = Atomic<Int>(0)
    let subscription = bench.subscribe(bench.signal()) { event in
      check.take(event) { for _ in 0..<20 { spin.add(1, ordering: .relaxed) } }
    }
    bench.prime()
    onThreads(4) { thread in
      for index in 0..<100 {
        switch thread {
        case 0, 1: bench.input.send(thread * 1_000 + index)
        case 2: bench.other.send(index)
        default: try? bench.scheduler.advance(by: .milliseconds(5))
        }
      }
      if thread == 1 {
        bench.other.finish()
        bench.input.finish()
      }
    }
    try bench.end()
    #expect(check.overlaps == 0)
    #expect(check.eventsAfterEnd == 0)
    #expect(check.ends == 1)
    #expect(check.values > 0)
    #expect(bench.upstreamCount == 0)
    #expect(bench.life.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("disposal on another thread while values come (laws 4, 7 and 9)", arguments: operatorTable)
  func concurrentDisposal(row: OperatorRow) throws {
    for _ in 0..<10 {
      let bench = OperatorBench(row)
      let check = GrammarCheck<Int>()
      let subscription = bench.subscribe(bench.signal()) { check.take($0) }
      let isDisposed = Atomic<Bool>(false)
      onThreads {
        bench.prime()
        for index in 0..<50 { bench.input.send(index) }
      } _: {
        for _ in 0..<10 { try? bench.scheduler.advance(by: .milliseconds(5)) }
      } _: {
        subscription.dispose()
        isDisposed.store(true, ordering: .releasing)
      }
      let count = check.values
      bench.input.send(77)
      try bench.scheduler.advance(by: .seconds(1))
      #expect(check.values == count)
      #expect(check.overlaps == 0)
      #expect(bench.upstreamCount == 0)
      #expect(bench.life.alive == 0)
    }
  }

  /// The ways in which a subscription can end.
  enum WayToEnd: CaseIterable {
    case finished, failed, disposed, dropped, endedBelow
  }
}
