import Probes
import SignalTesting
import Signals
import Testing

/// Delivers what the first signal delivers that delivers anything; the others are left.
@Suite("race", .healthy)
struct RaceTests {
  @Test("the first value decides; the others are left at that moment")
  func values() {
    marbles { m in
      let letters = m.cold("              ---a---b-|")
      let digits = m.cold("               --1---2---3|")
      m.expect(
        letters.signal.race(with: digits.signal),
        "                                 --1---2---3|")
      m.expectSubscriptions(of: letters, "^-!")
      m.expectSubscriptions(of: digits, " ^----------!")
    }
  }

  @Test("all ways to say it")
  func forms() {
    marbles { m in
      let a = m.hot("----a-|")
      let b = m.hot("--b-b-|")
      let c = m.hot("---c--|")
      m.expect(a.signal.race(with: b.signal, c.signal), "    --b-b-|")
      m.expect(Signal.race(a.signal, b.signal, c.signal), "  --b-b-|")
      m.expect(Signal.race([a.signal, b.signal, c.signal]), "--b-b-|")
      m.expect(race(a.signal, b.signal, c.signal), "         --b-b-|")
      m.expect(race([a.signal, b.signal, c.signal]), "       --b-b-|")
    }
  }

  @Test("no signals are over at once; one is as it is")
  func few() {
    marbles { m in
      m.expect(Signal<String>.race([]), "{|}")

      let one = m.hot("                    -a-b-|")
      m.expect(Signal.race([one.signal]), "-a-b-|")
      m.expect(one.signal.race(), "        -a-b-|")
    }
  }

  @Test(
    "at one moment the one that comes first wins; one that delivers inside subscribe wins, those behind it do not begin"
  )
  func sameMoment() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let digits = m.hot(" -1-2-|")
      m.expect(digits.signal.race(with: letters.signal), "-a-b-|")

      let waiting = m.hot("---x|")
      let atOnce = m.cold("{p}-q|")
      let unused = m.cold("{r}|")
      m.expect(Signal.race(waiting.signal, atOnce.signal, unused.signal), "{p}-q|")
      m.expectSubscriptions(of: waiting, "(^!)")
      m.expectNoSubscriptions(of: unused)
    }
  }

  @Test("an end or a failure that is the first event decides as well")
  func ends() {
    marbles { m in
      let letters = m.hot("               ---a-|")
      let empty = m.hot("                 --|")
      m.expect(letters.signal.race(with: empty.signal), "--|")

      let failing = m.hot("               -#", error: Failure(number: 1))
      m.expect(letters.signal.race(with: failing.signal), "-#", error: Failure(number: 1))

      let late = m.hot("                  ----#", error: Failure(number: 1))
      m.expect(letters.signal.race(with: late.signal), "---a-|")
      m.expect(late.signal.race(with: .never()), "      ----#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^-!", "^!", "^----!")
    }
  }

  @Test("nothing at all")
  func nothing() {
    marbles { m in
      let never = m.hot("               ----")
      m.expect(never.signal.race(with: .never()), "----")
      m.expectSubscriptions(of: never, "^")
    }
  }

  @Test("Law 7: after an early disposal nothing comes; all, or the one that won, are left")
  func disposal() {
    marbles { m in
      let letters = m.hot("               ----a-b-|")
      let digits = m.hot("                -----1--|")
      m.expect(letters.signal.race(with: digits.signal), "---", subscription: "^-!")
      m.expect(letters.signal.race(with: digits.signal), "----a---", subscription: "^----!")
      m.expectSubscriptions(of: letters, "^-!", "^----!")
      m.expectSubscriptions(of: digits, " ^-!", "^---!")
    }
  }

  @Test("Law 9: the others are left before the value is passed on, the newest first")
  func orderOfLeaving() {
    let left = Journal<String>()
    let inputs = (0..<3).map { _ in Emitter<Int>() }
    let signals = inputs.enumerated().map { index, input in
      Signal<Int> { producer in
        producer.onDisposal { left.append("\(index) is left") }
        producer.own(input.signal.subscribe { producer.send($0) })
      }
    }
    let subscription = Signal.race(signals).subscribe { left.append("value \($0)") }
    inputs[1].send(5)
    #expect(left.entries == ["2 is left", "0 is left", "value 5"])
    subscription.dispose()
    #expect(left.entries.last == "1 is left")
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the winner is left")
  func throwingBelow() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.race(with: .never()).map { _ -> Int in throw Failure() }.log(to: log)
    emitter.send(1)
    #expect(log.events == [.failed(Failure())])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }

  @Test("an endless signal wins as far as somebody takes its values")
  func endless() {
    marbles { m in
      m.expect(Signal.sequence(1...).race(with: Signal.sequence(5...)).prefix(3), "{123|}")
    }
  }

  @Test("Law 2: a handler that sends into another signal does not change the winner")
  func sendingInside() {
    let (first, second) = (Emitter<Int>(), Emitter<Int>())
    let log = EventLog<Int>()
    let subscription = first.signal.race(with: second.signal).handle { value in
      second.send(100)
      if value < 3 { first.send(value + 1) }
    }.log(to: log)
    first.send(1)
    #expect(log.values == [1, 2, 3])
    #expect(second.subscriberCount == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 3: of several that send at once exactly one wins, and all of its values come")
  func threads() {
    for _ in 0..<300 {
      let inputs = (0..<3).map { _ in Emitter<Int>() }
      let log = EventLog<Int>()
      let subscription = Signal.race(inputs.map(\.signal)).log(to: log)
      onThreads(3) { thread in
        for value in 0..<20 { inputs[thread].send(100 * thread + value) }
      }
      let winner = (log.values.first ?? 0) / 100
      #expect(log.values == (0..<20).map { 100 * winner + $0 })
      #expect(inputs.map(\.subscriberCount).reduce(0, +) == 1)
      withExtendedLifetime(subscription) {}
    }
  }
}
