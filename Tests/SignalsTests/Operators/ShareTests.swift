import Probes
import SignalTesting
import Signals
import Testing

/// Lets all subscribers share one subscription.
@Suite("share")
struct ShareTests {
  @Test("the first subscriber begins the source; the others join at the moment at which they come")
  func values() {
    marbles { m in
      let letters = m.cold("              -a-b-c-|")
      let shared = letters.signal.share()
      m.expect(shared, "                  -a-b-c-|")
      m.expect(shared, "                  ---b-c-|", subscription: "--^")
      m.expect(shared, "                  -----c-|", subscription: "----^")
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  @Test("Law 9: the last subscriber's disposal leaves the source; the next one begins it anew")
  func leaving() {
    marbles { m in
      let letters = m.cold("-a-b-c-|")
      let shared = letters.signal.share()
      m.expect(shared, "    -a-b------------", subscription: "^---!")
      m.expect(shared, "    ---b------------", subscription: "--^--!")
      m.expect(shared, "    -------a-b-c-|", subscription: "------^")
      m.expectSubscriptions(
        of: letters,
        "                   ^----!",
        "                   ------^------!")
    }
  }

  @Test("Law 8: one subscriber's leaving is nothing to the others")
  func siblings() {
    marbles { m in
      let letters = m.cold("              -a-b-c-|")
      let shared = letters.signal.share()
      m.expect(shared, "                  -a------", subscription: "^-!")
      m.expect(shared, "                  -a-b-c-|")
      m.expect(shared.prefix(2), "        -a-(b|)")
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  @Test("all get the end, or the failure; after that a newcomer begins the source anew")
  func ends() {
    marbles { m in
      let letters = m.cold("-a|")
      let finishing = letters.signal.share()
      m.expect(finishing, " -a|")
      m.expect(finishing, " --|", subscription: "--^")
      m.expect(finishing, " -----a|", subscription: "----^")

      let digits = m.cold("-1#", error: Failure(number: 1))
      let failing = digits.signal.share()
      m.expect(failing, "  -1#", error: Failure(number: 1))
      m.expect(failing, "  -----1#", error: Failure(number: 1), subscription: "----^")
      m.expectSubscriptions(
        of: digits,
        "                  ^-!",
        "                  ----^-!")
    }
  }

  @Test("with replay, a newcomer gets the latest values first, as many as were asked for")
  func replay() {
    marbles { m in
      let letters = m.cold("              -a-b-c-d-|")
      let shared = letters.signal.share(replay: 2)
      m.expect(shared, "                  -a-b-c-d-|")
      m.expect(shared, "                  --ab-c-d-|", subscription: "--^")
      m.expect(shared, "                  ------(bc)d-|", subscription: "------^")
      m.expectSubscriptions(of: letters, "^--------!")
    }
  }

  @Test("replay belongs to the subscription that runs: after its end, or after the last has left, nothing is replayed")
  func replayEnds() {
    marbles { m in
      let letters = m.cold("-a-b-|")
      let shared = letters.signal.share(replay: 2)
      m.expect(shared, "    -a-----------", subscription: "^-!")
      m.expect(shared, "    -----a-b-|", subscription: "----^")
      m.expect(shared, "    -------------a-b-|", subscription: "------------^")
      m.expectSubscriptions(
        of: letters,
        "                   ^-!",
        "                   ----^----!",
        "                   ------------^----!")
    }
  }

  @Test("no replay with 0 or less", arguments: [0, -1, Int.min])
  func noReplay(count: Int) {
    marbles { m in
      let letters = m.cold("-a-b-|")
      let shared = letters.signal.share(replay: count)
      m.expect(shared, "    -a-b-|")
      m.expect(shared, "    ---b-|", subscription: "--^")
    }
  }

  @Test("a source that delivers everything inside subscribe begins anew for each subscriber", arguments: [0, 5])
  func atOnce(replay: Int) {
    marbles { m in
      let letters = m.cold("{ab|}")
      let shared = letters.signal.share(replay: replay)
      m.expect(shared, "    {ab|}")
      m.expect(shared, "    {ab|}")
      m.expectSubscriptions(
        of: letters,
        "                   (^!)",
        "                   (^!)")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      let never = m.cold("              ----")
      m.expect(never.signal.share(), "  ----")
      m.expectSubscriptions(of: never, "^")

      let empty = m.cold("            --|")
      m.expect(empty.signal.share(), "--|")
    }
  }

  @Test("Laws 8 and 11: a closure below one subscriber that throws ends that one alone")
  func throwingBelow() {
    marbles { m in
      let letters = m.cold("              -a-b-|")
      let shared = letters.signal.share()
      let throwing = shared.map { letter in
        if letter == "a" { throw Failure() }
        return letter
      }
      m.expect(throwing, "                -#", error: Failure())
      m.expect(shared, "                  -a-b-|")
      m.expectSubscriptions(of: letters, "^----!")
    }
  }

  @Test("one subscription upstream, from the first to the last, however often each is disposed; then anew")
  func counts() {
    let emitter = Emitter<Int>()
    let starts = Box(0)
    let shared = emitter.signal.handle(onSubscribe: { starts.value += 1 }).share()
    let log = EventLog<Int>()
    for round in 1...2 {
      let first = shared.log(to: log)
      let second = shared.log(to: log)
      #expect(emitter.subscriberCount == 1)
      emitter.send(round)
      first.dispose()
      first.dispose()
      #expect(emitter.subscriberCount == 1)
      second.dispose()
      #expect(emitter.subscriberCount == 0)
      #expect(starts.value == round)
    }
    #expect(log.values == [1, 1, 2, 2])
  }

  @Test("nobody has to keep the signal")
  func unkept() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.share().log(to: log)
    emitter.send(1)
    #expect(log.values == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test("a subscriber whose chain throws counts as gone", arguments: [0, 1])
  func throwing(replay: Int) {
    let emitter = Emitter<Int>(replay: 1)
    emitter.send(0)
    let shared = emitter.signal.share(replay: replay)
    let keeper = shared.subscribe { _ in }
    let log = EventLog<Int>()
    let throwing = shared.map { _ -> Int in throw Failure() }.log(to: log)
    keeper.dispose()
    emitter.send(1)
    #expect(log.events == [.failed(Failure())])
    #expect(emitter.subscriberCount == 0)
    #expect(throwing.isDisposed)
  }

  @Test("the last one that throws has left when it gets its end: who subscribes then begins anew", arguments: [0, 1])
  func subscribingAgainAtTheEnd(replay: Int) {
    let source = Emitter<Int>()
    let starts = Box(0)
    let log = EventLog<Int>()
    let shared = source.signal.handle(onSubscribe: { starts.withLock { $0 += 1 } }).share(replay: replay)
    let isFirst = Box(true)
    let retried = shared.map { value in
      if isFirst.value {
        isFirst.value = false
        throw Failure()
      }
      return value
    }.retry(1).log(to: log)
    source.send(1)
    #expect(starts.value == 2 && source.subscriberCount == 1 && log.events.isEmpty)
    source.send(2)
    #expect(log.events == [.value(2)])
    retried.dispose()
    let taken = EventLog<Int>()
    let both = shared.prefix(1).concat(shared.prefix(1)).log(to: taken)
    source.send(3)
    #expect(starts.value == 4 && taken.events == [.value(3)])
    source.send(4)
    #expect(taken.events == [.value(3), .value(4), .finished] && source.subscriberCount == 0)
    both.dispose()
  }

  @Test("that holds for one that throws at a replayed value, too")
  func subscribingAgainAtTheEndOfAReplayedValue() {
    let source = Emitter<Int>()
    let starts = Box(0)
    let log = EventLog<Int>()
    let shared = source.signal.handle(onSubscribe: { starts.withLock { $0 += 1 } }).share(replay: 1)
    let other = shared.subscribe { _ in }
    source.send(1)
    let retried = shared.map { value in
      if !other.isDisposed {
        other.dispose()
        throw Failure()
      }
      return value
    }.retry(1).log(to: log)
    #expect(starts.value == 2 && source.subscriberCount == 1 && log.events.isEmpty)
    source.send(2)
    #expect(log.events == [.value(2)])
    retried.dispose()
  }

  @Test("subscribing and leaving on several threads ends with nobody upstream")
  func racing() {
    let emitter = Emitter<Int>()
    let shared = emitter.signal.share(replay: 1)
    onThreads(4) { thread in
      for index in 0..<200 {
        let subscription = shared.prefix(3).subscribe { _ in }
        if thread == 0 { emitter.send(index) }
        subscription.dispose()
      }
    }
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 8: a subscriber that throws and is disposed elsewhere at the same moment leaves once", arguments: [0, 1])
  func leavesOnce(replay: Int) {
    for round in 0..<3_000 {
      let emitter = Emitter<Int>()
      let shared = emitter.signal.share(replay: replay)
      let log = EventLog<Int>()
      let sibling = shared.log(to: log)
      let isAboutToThrow = Box(false)
      let thrower = shared.map { value in
        isAboutToThrow.value = true
        for _ in 0..<round % 50 { _ = isAboutToThrow.value }
        throw Failure(number: value)
      }.subscribe(onFailure: { _ in })
      onThreads {
        emitter.send(1)
      } _: {
        spin { !isAboutToThrow.value }
        thrower.dispose()
      }
      #expect(emitter.subscriberCount == 1, "round \(round)")
      emitter.send(2)
      #expect(log.values == [1, 2], "round \(round)")
      sibling.dispose()
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("Law 9: one that was disposed before it got there does not count")
  func disposedBefore() {
    for _ in 0..<500 {
      let emitter = Emitter<Int>()
      let shared = emitter.signal.share()
      let stop = Emitter<Int>()
      // Connected from inside a gate, so that another thread can dispose it before the shared signal has it.
      let start = Emitter<Int>()
      let subscription = start.signal.flatMap { _ in shared }.prefix(untilOutputFrom: stop.signal).subscribe { _ in }
      onThreads {
        start.send(1)
      } _: {
        stop.send(1)
      }
      subscription.dispose()
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("Law 9: one that was disposed before it got there does not begin the source, which may be endless")
  func disposedWhileSubscribing() {
    let outer = Emitter<Int>()
    let delivered = Box(0)
    let starts = Box(0)
    let kept = Box<Subscription?>(nil)
    let shared = Signal.sequence(0..<1_000).handle(
      onSubscribe: { starts.value += 1 }, onValue: { _ in delivered.value += 1 }
    ).share()
    kept.value = outer.signal.flatMap { _ in
      shared.handle(onSubscribe: { kept.value?.dispose() })
    }.subscribe { _ in }
    outer.send(1)
    #expect(delivered.value == 0 && starts.value == 0)
    // The next one begins it.
    let log = EventLog<Int>()
    shared.prefix(2).log(to: log).dispose()
    #expect(log.events == [.value(0), .value(1), .finished])
    #expect(starts.value == 1)
  }

  // MARK: Without a reference count

  @Test(
    "it goes on when the last subscriber leaves, and ends with its source; who comes later gets the latest values and the end"
  )
  func keepsRunning() {
    marbles { m in
      let letters = m.cold("-a-b-c-d|")
      let shared = letters.signal.share(replay: 1, keepsRunning: true)
      m.expect(shared, "    -a------------", subscription: "^-!")
      m.expect(shared, "    ------cd|", subscription: "------^")
      m.expect(shared, "    ------------(d|)", subscription: "------------^")
      m.expectSubscriptions(of: letters, "^-------!")
    }
  }

  @Test("without replay, who comes after the end gets the end alone; with keepsRunning: false it is share")
  func keepsRunningWithoutReplay() {
    marbles { m in
      let letters = m.cold("-a-b|")
      let shared = letters.signal.share(keepsRunning: true)
      m.expect(shared, "    -a-b|")
      m.expect(shared, "    ------|", subscription: "------^")
      m.expectSubscriptions(of: letters, "^---!")

      let digits = m.cold(" -1-2|")
      let counted = digits.signal.share(keepsRunning: false)
      m.expect(counted, "   -1----", subscription: "^-!")
      m.expect(counted, "   -----1-2|", subscription: "----^")
    }
  }

  @Test("after a failure the next subscriber begins it anew")
  func keepsRunningFails() {
    marbles { m in
      let letters = m.cold("-a#", error: Failure(number: 1))
      let shared = letters.signal.share(replay: 1, keepsRunning: true)
      m.expect(shared, "    -a#", error: Failure(number: 1))
      m.expect(shared, "    -----a#", error: Failure(number: 1), subscription: "----^")
      m.expectSubscriptions(of: letters, "^-!", "----^-!")
    }
  }

  @Test("a source that delivers everything inside subscribe is asked once")
  func keepsRunningAtOnce() {
    marbles { m in
      let letters = m.cold("{ab|}")
      let shared = letters.signal.share(replay: 5, keepsRunning: true)
      m.expect(shared, "    {ab|}")
      m.expect(shared, "    --(ab|)", subscription: "--^")
      m.expectSubscriptions(of: letters, "(^!)")
    }
  }

  @Test(
    "Law 9: when nobody keeps the signal any more, and nobody subscribes, the source is left and everything is released"
  )
  func keepsRunningUntilReleased() {
    let emitter = Emitter<Int>()
    let life = LifeCount()
    func make() -> Signal<Int> {
      let token = life.token()
      return emitter.signal.map { value in
        token.touch()
        return value
      }.share(keepsRunning: true)
    }
    let kept = Box<Signal<Int>?>(make())
    let log = EventLog<Int>()
    let first = kept.value?.log(to: log)
    first?.dispose()
    #expect(emitter.subscriberCount == 1)
    let second = kept.value?.log(to: log)
    kept.value = nil
    emitter.send(1)
    #expect(log.values == [1] && emitter.subscriberCount == 1)
    second?.dispose()
    #expect(emitter.subscriberCount == 0 && life.alive == 0)
  }

  @Test("Law 9: one that was disposed before it got there does not begin the source; the next one does")
  func keepsRunningDisposedBefore() {
    let outer = Emitter<Int>()
    let starts = Box(0)
    let kept = Box<Subscription?>(nil)
    let shared = Signal.sequence(0..<10).handle(onSubscribe: { starts.value += 1 }).share(keepsRunning: true)
    kept.value = outer.signal.flatMap { _ in shared.handle(onSubscribe: { kept.value?.dispose() }) }.subscribe { _ in }
    outer.send(1)
    #expect(starts.value == 0)
    let log = EventLog<Int>()
    shared.log(to: log).dispose()
    #expect(log.values.count == 10 && starts.value == 1)
  }

  // MARK: A limit of time

  @Test("what is too old is not replayed; what comes now always is delivered")
  func replayForSomeTime() {
    marbles { m in
      let letters = m.cold("              -a-b----c-|")
      let shared = letters.signal.share(replay: 2, for: .milliseconds(4), on: m.scheduler)
      m.expect(shared, "                  -a-b----c-|")
      m.expect(shared, "                  ----(ab)---c-|", subscription: "----^")
      m.expect(shared, "                  -----b--c-|", subscription: "-----^")
      m.expect(shared, "                  --------c-|", subscription: "-------^")
      m.expectSubscriptions(of: letters, "^---------!")
    }
  }

  @Test("a duration of zero or less replays nothing that is older", arguments: [0, -5, Int64.min])
  func replayForNoTime(milliseconds: Int64) {
    marbles { m in
      let letters = m.cold("-a-b-|")
      let shared = letters.signal.share(replay: 2, for: .milliseconds(milliseconds), on: m.scheduler)
      m.expect(shared, "    -a-b-|")
      m.expect(shared, "    ---b-|", subscription: "--^")
    }
  }

  @Test("it goes on without subscribers too")
  func replayForSomeTimeKeepsRunning() {
    marbles { m in
      let letters = m.cold("-a-b-----|")
      let shared = letters.signal.share(replay: 2, for: .milliseconds(3), on: m.scheduler, keepsRunning: true)
      m.expect(shared, "    -a-------", subscription: "^-!")
      m.expect(shared, "    -----b---|", subscription: "-----^")
      m.expectSubscriptions(of: letters, "^--------!")
    }
  }

  @Test("subscribing and leaving on several threads: one run, and no value is missed by who stays")
  func keepsRunningRacing() {
    for _ in 0..<50 {
      let emitter = Emitter<Int>()
      let starts = Box(0)
      let kept = Box<Signal<Int>?>(
        emitter.signal.handle(onSubscribe: { starts.withLock { $0 += 1 } }).share(replay: 1, keepsRunning: true))
      onThreads(4) { thread in
        for index in 0..<20 {
          let subscription = kept.value?.subscribe { _ in }
          if thread == 0 { emitter.send(index) }
          subscription?.dispose()
        }
      }
      #expect(emitter.subscriberCount == 1)
      #expect(starts.value >= 1)
      kept.value = nil
      #expect(emitter.subscriberCount == 0)
    }
  }
}
