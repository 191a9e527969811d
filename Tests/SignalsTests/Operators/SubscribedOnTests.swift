import Dispatch
import Probes
import SignalTesting
import Signals
import Testing

/// Subscribes to this signal on a scheduler.
@Suite("subscribed(on:)")
struct SubscribedOnTests {
  @Test("a source that delivers inside subscribe does so on the scheduler; later values come at their moment")
  func values() {
    marbles { m in
      let letters = m.cold("{ab}-c-|")
      m.expect(
        letters.signal.subscribed(on: m.scheduler),
        "                   (ab)c-|")
    }
  }

  @Test("failure, empty, never")
  func ends() {
    marbles { m in
      let failing = m.cold("-a-#", error: Failure(number: 1))
      m.expect(
        failing.signal.subscribed(on: m.scheduler),
        "                   -a-#", error: Failure(number: 1))
      let empty = m.cold("{|}")
      m.expect(
        empty.signal.subscribed(on: m.scheduler),
        "                 |")
      let never = m.hot("----")
      m.expect(
        never.signal.subscribed(on: m.scheduler),
        "                ----")
    }
  }

  @Test("Laws 7 and 9: an early disposal leaves the source at that moment")
  func disposal() {
    marbles { m in
      let letters = m.cold("              -a-b-c-|")
      m.expect(
        letters.signal.subscribed(on: m.scheduler),
        "                                 -a-b----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("Law 7: disposed before its turn it never subscribes, and frees everything at once", arguments: [false, true])
  func beforeItsTurn(isRecorded: Bool) throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let count = Box(0)
    let recorder = GraphRecorder()
    func subscribe() -> Subscription {
      let token = life.token()
      return Signal<Int>.deferred {
        token.touch()
        count.withLock { $0 += 1 }
        return .just(1)
      }.subscribed(on: scheduler).subscribe { _ in token.touch() }
    }
    let subscription = isRecorded ? recorder.record { subscribe() } : subscribe()
    #expect(scheduler.pendingCount == 1)
    #expect(recorder.pendingWork.isEmpty != isRecorded)
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
    #expect(recorder.pendingWork.isEmpty)
    #expect(life.alive == 0)
    try scheduler.run()
    #expect(count.value == 0)
  }

  @Test("on a queue that is busy: disposed before its turn it never subscribes, and frees everything at once")
  func busyQueue() {
    let known = KnownQueue()
    let mayGoOn = DispatchSemaphore(value: 0)
    known.queue.async { mayGoOn.wait() }
    let life = LifeCount()
    let count = Box(0)
    func subscribe() -> Subscription {
      let token = life.token()
      return Signal<Int>.deferred {
        token.touch()
        count.withLock { $0 += 1 }
        return .just(1)
      }.subscribed(on: .queue(known.queue)).subscribe { _ in }
    }
    subscribe().dispose()
    #expect(life.alive == 0)
    mayGoOn.signal()
    known.settle()
    #expect(count.value == 0)
  }

  @Test("the source is asked on the queue, and what it delivers at once comes there", .timeLimit(.minutes(20)))
  func place() {
    for _ in 0..<50 {
      let known = KnownQueue()
      let places = PlaceLog<Int>(known)
      let astray = Box(0)
      let subscription = Signal<Int> { producer in
        if !known.isCurrent { astray.withLock { $0 += 1 } }
        for value in 1...3 { producer.send(value) }
        producer.finish()
      }.subscribed(on: .queue(known.queue)).subscribeToEvents { places.take($0) }
      #expect(places.waitForEnd())
      #expect(astray.value == 0)
      #expect(places.astrayCount == 0)
      #expect(places.log.values == [1, 2, 3])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("a scheduler that runs work inside schedule")
  func immediate() {
    let log = EventLog<Int>()
    let subscription = Signal.sequence(1...3).subscribed(on: .immediate).log(to: log)
    #expect(log.events == [.value(1), .value(2), .value(3), .finished])
    #expect(subscription.isDisposed)
  }
}
