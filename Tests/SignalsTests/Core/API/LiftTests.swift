import Probes
import Signals
import Testing

extension Signal where Value == Int {
  /// The sum so far; at the end the sum once more, negated.
  fileprivate func sums(log: Probes.EventLog<Int>? = nil) -> Signal<Int> {
    lift(Site("sums", fileID: #fileID, line: #line, function: #function), state: 0) { sum, value, downstream in
      if value < 0 { throw Failure(number: value) }
      sum += value
      try downstream.send(sum)
    } end: { sum, completion, downstream in
      log?.append(Event(completion))
      if case .failed(let error as Failure) = completion {
        if error.number == 1 { throw Failure(number: 2) }
        if error.number == 3 { downstream.finish() }
      }
      try downstream.send(-sum)
    }
  }

  /// Finishes with the value that makes the sum reach a limit.
  fileprivate func until(_ limit: Int) -> Signal<Int> {
    lift(Site("until", fileID: #fileID, line: #line, function: #function), state: 0) { sum, value, downstream in
      sum += value
      try downstream.send(value)
      if sum >= limit { downstream.finish() }
    }
  }
}

@Suite("operators with state of one's own")
struct LiftTests {
  @Test("each subscription begins with a copy of the state")
  func state() {
    let emitter = Emitter<Int>()
    let signal = emitter.signal.sums()
    let logs = (0..<2).map { _ in Probes.EventLog<Int>() }
    let bag = DisposeBag()
    signal.log(to: logs[0]).store(in: bag)
    for value in 1...3 { emitter.send(value) }
    signal.log(to: logs[1]).store(in: bag)
    emitter.send(4)
    emitter.finish()
    #expect(logs[0].events == [.value(1), .value(3), .value(6), .value(10), .value(-10), .finished])
    #expect(logs[1].events == [.value(4), .value(-4), .finished])
  }

  @Test(
    "Law 7: who disposes at a value of the end is told nothing more, neither of values nor of the end",
    arguments: [false, true])
  func disposedAtEnd(isFailed: Bool) {
    let emitter = Emitter<Int>()
    let twice = emitter.signal.lift(
      Site("twice", fileID: #fileID, line: #line, function: #function), state: 0
    ) { last, value, _ in
      last = value
    } end: { last, _, downstream in
      try downstream.send(last)
      try downstream.send(last)
    }
    let log = Probes.EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = twice.map { $0 }.subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    emitter.send(1)
    if isFailed { emitter.fail(Failure()) } else { emitter.finish() }
    #expect(log.events == [.value(1)])
  }

  @Test("who lets go of a subscription that is over takes nothing from the end")
  func releasedAtEnd() {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.sums().subscribeToEvents { event in
      log.append(event)
      if event == .value(-3) { kept.value = nil }
    }
    emitter.send(3)
    emitter.finish()
    #expect(log.events == [.value(3), .value(-3), .finished])
  }

  @Test("a bag that drops what is over takes nothing from the end")
  func prunedAtEnd() {
    let emitter = Emitter<Int>()
    let bag = DisposeBag()
    let log = Probes.EventLog<Int>()
    emitter.signal.sums().subscribeToEvents { event in
      log.append(event)
      guard event == .value(-3) else { return }
      // As many as it takes for the bag to look for what is over.
      for _ in 0..<64 { Subscription {}.store(in: bag) }
    }.store(in: bag)
    emitter.send(3)
    emitter.finish()
    #expect(log.events == [.value(3), .value(-3), .finished])
    #expect(bag.count == 64)
  }

  private enum Disposal: CaseIterable { case dispose, release, allOfSource, allOfSourceAboveHop }

  @Test("Law 7: who disposes at the first of two events of one call is told nothing more", arguments: Disposal.allCases)
  private func disposedBetweenTwo(_ disposal: Disposal) {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    let site = Site("two", fileID: #fileID, line: #line, function: #function)
    let source = disposal == .allOfSourceAboveHop ? emitter.signal.receive(on: .immediate) : emitter.signal
    let events: [Signal<Int>] = [
      source.lift(site, state: 0) { _, value, downstream in
        try downstream.send(value)
        try downstream.send(value)
      },
      source.lift(site, state: 0) { _, value, downstream in
        try downstream.send(value)
        downstream.finish()
      },
    ]
    for signal in events {
      kept.value = signal.subscribeToEvents { event in
        log.append(event)
        switch disposal {
        case .dispose: kept.value?.dispose()
        case .release: kept.value = nil
        case .allOfSource, .allOfSourceAboveHop: emitter.disposeAllSubscriptions()
        }
      }
      emitter.send(1)
    }
    #expect(log.events == [.value(1), .value(1)])
    #expect(emitter.subscriberCount == 0)
  }

  @Test(
    "the end closure may throw, finish, or let the end pass",
    arguments: [0: [.value(-5), .failed(Failure(number: 0))], 1: [.failed(Failure(number: 2))], 3: [.finished]]
      as [Int: [Event<Int>]])
  func ends(number: Int, expected: [Event<Int>]) {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let subscription = emitter.signal.sums().log(to: log)
    emitter.send(5)
    emitter.fail(Failure(number: number))
    #expect(log.events == [.value(5)] + expected)
    #expect(subscription.isDisposed)
  }

  @Test("Law 11: what a closure throws fails the signal, once, and does not come back as an end of what is above")
  func throwing() {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let ends = Probes.EventLog<Int>()
    let subscription = emitter.signal.sums(log: ends).log(to: log)
    emitter.send(1)
    emitter.send(-7)
    emitter.send(2)
    #expect(log.events == [.value(1), .failed(Failure(number: -7))])
    #expect(ends.events == [])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }

  @Test("Law 11: an error from below ends the signal, also when the closure swallows it")
  func swallowing() {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let received = Probes.EventLog<Int>()
    let swallowing: Signal<Int> = emitter.signal
      .lift(Site("swallowing", fileID: #fileID, line: #line, function: #function), state: 0) {
        count, value, downstream in
        received.append(.value(value))
        count += 1
        try? downstream.send(value)
        try? downstream.send(value + 100)
      }
    let subscription = swallowing.scan(0) { _, value in
      if value == 2 { throw Failure() }
      return value
    }.log(to: log)
    for value in 1...3 { emitter.send(value) }
    #expect(log.events == [.value(1), .value(101), .failed(Failure())])
    #expect(received.values == [1, 2])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }

  @Test("Law 11: an error from below is not lost when the closure throws another one in its place")
  func replacingTheError() {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let above = Probes.EventLog<Int>()
    let replacing: Signal<Int> = emitter.signal
      .handle(onFailure: { above.append(.failed($0)) })
      .lift(Site("replacing", fileID: #fileID, line: #line, function: #function), state: 0) { _, value, downstream in
        do { try downstream.send(value) } catch { throw Failure(number: 2) }
      }
    let subscription = replacing.map { _ in throw Failure(number: 1) }.log(to: log)
    emitter.send(1)
    emitter.send(2)
    #expect(log.events == [.failed(Failure(number: 1))])
    #expect(above.events == [])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }

  @Test("Law 9: finishing leaves what is above, also an endless source")
  func finishing() {
    let emitter = Emitter<Int>()
    let log = Probes.EventLog<Int>()
    let subscription = emitter.signal.until(3).log(to: log)
    for value in 1...4 { emitter.send(value) }
    #expect(log.events == [.value(1), .value(2), .finished])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
    let endless = Probes.EventLog<Int>()
    let all = Signal.sequence(1...).until(100).log(to: endless)
    #expect(endless.values == Array(1...14) && endless.ends == [.finished])
    withExtendedLifetime(all) {}
  }

  @Test("Law 7: disposing frees the state and the closures; the end closure is not called")
  func disposing() {
    let emitter = Emitter<Int>()
    let life = LifeCount()
    let isEnded = Box(false)
    do {
      let token = life.token()
      let signal: Signal<Int> = emitter.signal
        .lift(Site("keeping", fileID: #fileID, line: #line, function: #function), state: token) {
          token, value, downstream in
          token.touch()
          try downstream.send(value)
        } end: { _, _, _ in
          isEnded.value = true
        }
      signal.subscribe { _ in }.dispose()
    }
    #expect(life.alive == 0 && !isEnded.value)
  }

  @Test("Law 3: senders on four threads: the state is touched by one at a time, and no value is lost")
  func fourThreads() {
    let emitter = Emitter<Int>()
    let log = Journal<[Int]>()
    let check = GrammarCheck<Int>()
    let counted: Signal<Int> = emitter.signal
      .lift(Site("counted", fileID: #fileID, line: #line, function: #function), state: [Int]()) {
        seen, value, downstream in
        // Storage on the heap: two threads at once would free it twice.
        seen.append(value)
        if seen.count > 100 { seen = [] }
        try downstream.send(value)
      } end: { seen, _, _ in
        log.append(seen)
      }
    let subscription = counted.subscribeToEvents { check.take($0) }
    onThreads(4) { thread in
      for value in 0..<2_000 { emitter.send(value * 4 + thread) }
    }
    emitter.finish()
    #expect(check.values == 8_000 && check.overlaps == 0 && check.ends == 1 && check.eventsAfterEnd == 0)
    #expect(log.entries.map(\.count) == [8_000 % 101])
    withExtendedLifetime(subscription) {}
  }
}

// What must not compile: where values go can be neither captured, copied, kept nor sent to another thread, and the state cannot be used later.
// `swift build --build-tests -Xswiftc -DSIGNALS_MISUSE` says so at each of these closures; for those named "task" and "copy" only once the others are
// taken out, as the compiler looks at what is borrowed after everything else is right.
#if SIGNALS_MISUSE
  import Dispatch

  func sendsLater(_ signal: Signal<Int>) -> Signal<Int> {
    signal.lift(Site("later", fileID: #fileID, line: #line, function: #function), state: 0) { _, value, downstream in
      DispatchQueue.global().async { try? downstream.send(value) }
    }
  }

  func sendsFromTask(_ signal: Signal<Int>) -> Signal<Int> {
    signal.lift(Site("task", fileID: #fileID, line: #line, function: #function), state: 0) { _, value, downstream in
      Task { try downstream.send(value) }
    }
  }

  func changesStateLater(_ signal: Signal<Int>) -> Signal<Int> {
    signal.lift(Site("state", fileID: #fileID, line: #line, function: #function), state: 0) {
      state, value, downstream in
      DispatchQueue.global().async { state += value }
      try downstream.send(value)
    }
  }

  func copies(_ signal: Signal<Int>) -> Signal<Int> {
    signal.lift(Site("copy", fileID: #fileID, line: #line, function: #function), state: 0) { _, value, downstream in
      let kept = downstream
      try kept.send(value)
    }
  }

  func keepsInState(_ signal: Signal<Int>) -> Signal<Int> {
    signal.lift(Site("keep", fileID: #fileID, line: #line, function: #function), state: (() -> Void)?.none) {
      state, value, downstream in
      state = { try? downstream.send(value) }
    }
  }

  func usesSerialState() -> Int { SerialState(1).value }
#endif
