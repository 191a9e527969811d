import Probes
import SignalGraph
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

  @Test("a limit: the newest or the oldest of what comes at once, and the end behind it")
  func limits() {
    marbles { m in
      let letters = m.hot("-(abcd)-e-(fgh|)")
      m.expect(
        letters.signal.receive(on: m.scheduler, overflow: .newest(2)),
        "                  -(cd)-e-(gh|)")
      m.expect(
        letters.signal.receive(on: m.scheduler, overflow: .oldest(2)),
        "                  -(ab)-e-(fg|)")
      m.expect(
        letters.signal.receive(on: m.scheduler, overflow: .fail(4)),
        "                  -(abcd)-e-(fgh|)")
    }
  }

  @Test("Law 9: what fails because too many wait leaves its source at once, and delivers what waits before")
  func overflow() {
    marbles { m in
      let letters = m.hot("-(abcd)-e-|")
      m.expect(
        letters.signal.receive(on: m.scheduler, overflow: .fail(2)),
        "                  -(ab#)", error: OverflowError(limit: 2))
      m.expectSubscriptions(of: letters, "^!")
    }
  }

  @Test("a limit of less than 1 counts as 1", arguments: [0, -3, .min])
  func smallLimits(limit: Int) throws {
    for overflow in [OverflowPolicy.newest(limit), .oldest(limit), .fail(limit)] {
      let scheduler = VirtualTimeScheduler()
      let log = EventLog<Int>()
      let subscription = Signal.sequence(1...3).receive(on: scheduler, overflow: overflow).log(to: log)
      try scheduler.advance()
      switch overflow {
      case .newest: #expect(log.events == [.value(3), .finished])
      case .oldest: #expect(log.events == [.value(1), .finished])
      default: #expect(log.events == [.value(1), .failed(OverflowError(limit: 1))])
      }
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("an endless source that delivers inside subscribe is left when too many wait")
  func endless() throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let subscription = Signal.sequence(1...).receive(on: scheduler, overflow: .fail(3)).log(to: log)
    try scheduler.advance()
    #expect(log.events == [.value(1), .value(2), .value(3), .failed(OverflowError(limit: 3))])
    #expect(subscription.isDisposed)
  }

  @Test("what is being delivered has stopped waiting; what is behind it may still be dropped")
  func limitDuringDelivery() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.receive(on: scheduler, overflow: .newest(2)).handle { [emitter] value in
      if value == 1 { for next in 3...5 { emitter.send(next) } }
    }.log(to: log)
    for value in 1...2 { emitter.send(value) }
    try scheduler.run()
    #expect(log.values == [1, 4, 5])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 4: what is dropped is released outside the lock")
  func droppedOutsideLock() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<AtRelease>()
    let subscription = Box<Subscription?>(nil)
    let count = Box(0)
    subscription.value = emitter.signal.receive(on: scheduler, overflow: .newest(1)).subscribe { _ in }
    for _ in 1...3 {
      emitter.send(
        AtRelease {
          count.withLock { $0 += 1 }
          if count.value == 2 { subscription.value?.dispose() }
        })
    }
    #expect(count.value == 3)
    #expect(emitter.subscriberCount == 0)
  }

  @Test("the graph shows how many values wait, and how many were dropped")
  func recorded() throws {
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    for (overflow, waiting, dropped) in [
      (OverflowPolicy.keepAll, 5, nil), (.newest(2), 2, 3), (.oldest(3), 3, 2), (.fail(4), 4, 1),
    ] as [(OverflowPolicy, UInt64, UInt64?)] {
      let recorder = GraphRecorder()
      func node() -> (waiting: UInt64?, dropped: UInt64?, values: UInt64?) {
        let node = recorder.snapshot().node("receive(on:)")
        return (node?.waiting, node?.dropped, node?.valueCount)
      }
      let seen = Box<[UInt64?]>([])
      let subscription = recorder.record {
        emitter.signal.receive(on: scheduler, overflow: overflow).subscribe(
          onValue: { _ in seen.withLock { $0.append(recorder.snapshot().node("receive(on:)")?.waiting) } },
          onFailure: { _ in })
      }
      for value in 1...5 { emitter.send(value) }
      #expect(node() == (waiting, dropped, 0))
      try scheduler.advance()
      let expected: [UInt64?] = (0..<waiting).reversed().map { $0 == 0 ? nil : $0 }
      #expect(seen.value == expected)
      if overflow == .fail(4) {
        #expect(recorder.snapshot().nodes.contains { $0.state == .failed && $0.dropped == 1 && $0.waiting == nil })
      } else {
        #expect(node() == (nil, dropped, waiting))
      }
      for value in 1...5 { emitter.send(value) }
      subscription.dispose()
      #expect(recorder.snapshot().nodes.allSatisfy { $0.waiting == nil })
    }
  }
}
