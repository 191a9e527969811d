import SignalTesting
import Signals
import Testing

/// Delivers everything on a scheduler, one event at a time, in the same order.
///
/// How it hops is told in `HopPlaceTests`, `HopJobTests` and `HopDisposalTests`.
@Suite("receive(on:)")
struct ReceiveOnTests {
  @Test("everything comes at its own moment, in the same order")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      m.expect(
        letters.signal.receive(on: m.scheduler),
        "                                 -a-b-c-|")
      m.expectSubscriptions(of: letters, "^------!")

      let together = m.hot("-(abc)-(d|)")
      m.expect(
        together.signal.receive(on: m.scheduler),
        "                   -(abc)-(d|)")
    }
  }

  @Test("Law 14: nothing comes inside subscribe, nor the end or a failure")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab|}")
      m.expect(
        letters.signal.receive(on: m.scheduler),
        "                   (ab|)")

      let empty = m.cold("{|}")
      m.expect(
        empty.signal.receive(on: m.scheduler),
        "                 |")

      let failing = m.cold("{a#}", error: Failure(number: 1))
      m.expect(
        failing.signal.receive(on: m.scheduler),
        "                   (a#)", error: Failure(number: 1))
    }
  }

  @Test("Law 14: the immediate form delivers inside subscribe")
  func immediate() {
    marbles { m in
      let letters = m.cold("{ab}-c|")
      m.expect(
        letters.signal.receive(on: .immediate),
        "                   {ab}-c|")
    }
  }

  @Test("Law 14: a failure overtakes no value")
  func failure() {
    marbles { m in
      let letters = m.hot("               -a-(bc#)", error: Failure(number: 1))
      m.expect(
        letters.signal.receive(on: m.scheduler),
        "                                 -a-(bc#)", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.receive(on: m.scheduler),
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.receive(on: m.scheduler),
        "                --|")
    }
  }

  @Test("what is sent is delivered after all that was scheduled for that moment before")
  func place() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let log = Journal<Int>()
    let subscription = emitter.signal.receive(on: scheduler).subscribe { log.append($0) }
    scheduler.schedule { log.append(1) }
    emitter.send(2)
    scheduler.schedule { log.append(3) }
    #expect(log.entries == [])
    try scheduler.advance()
    #expect(log.entries == [1, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      m.expect(
        letters.signal.receive(on: m.scheduler),
        "                                 -a-b----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let result = letters.signal.receive(on: m.scheduler).map { letter in
        if letter == "x" { throw Failure() }
        return letter
      }
      m.expect(result, "                  -a-#", error: Failure())
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("Law 7: a handler that disposes in the middle of a batch gets nothing more, and the rest is released")
  func disposingInBatch() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let count = Box(0)
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.receive(on: scheduler).subscribe { _ in
      count.value += 1
      if count.value == 3 { kept.value?.dispose() }
    }
    for _ in 0..<10 { emitter.send(life.token()) }
    try scheduler.advance()
    #expect(count.value == 3)
    #expect(life.alive == 0)
    #expect(emitter.subscriberCount == 0)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("Law 11: after a closure below has thrown in the middle of a batch nothing comes, and the rest is released")
  func throwingInBatch() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let count = Box(0)
    let log = EventLog<Int>()
    let subscription = emitter.signal.receive(on: scheduler).map { _ in
      count.value += 1
      if count.value == 3 { throw Failure() }
      return count.value
    }.log(to: log)
    for _ in 0..<10 { emitter.send(life.token()) }
    try scheduler.advance()
    #expect(count.value == 3)
    #expect(log.events == [.value(1), .value(2), .failed(Failure())])
    #expect(life.alive == 0)
    #expect(emitter.subscriberCount == 0)
    #expect(subscription.isDisposed)
  }
}
