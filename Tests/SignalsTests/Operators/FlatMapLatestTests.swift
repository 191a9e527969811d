import Probes
import SignalTesting
import Signals
import Testing

/// Makes a signal of each value and delivers the values of the newest one only.
@Suite("flatMapLatest")
struct FlatMapLatestTests {
  @Test("Law 9: a new value begins its signal, and the one before it is left at that moment")
  func values() {
    marbles { m in
      let letters = m.hot("               -a--b----|")
      let a = m.cold("                     -1-2-3|")
      let b = m.cold("                        -4-5|")
      let result = letters.signal.flatMapLatest { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "                  --1--4-5-|")
      m.expectSubscriptions(of: letters, "^--------!")
      m.expectSubscriptions(of: a, "      -^--!")
      m.expectSubscriptions(of: b, "      ----^---!")
    }
  }

  @Test("Law 16: it finishes when the source and the newest signal have")
  func ends() {
    marbles { m in
      let first = m.hot("               -a|")
      let long = m.cold("                ---1|")
      m.expect(
        first.signal.flatMapLatest { _ in long.signal },
        "                               ----1|")
      m.expectSubscriptions(of: first, "^-!")

      let second = m.hot("-a-----|")
      let short = m.cold(" -1|")
      m.expect(
        second.signal.flatMapLatest { _ in short.signal },
        "                 --1----|")

      let third = m.hot("               -a-|")
      let never = m.cold("               ---")
      m.expect(
        third.signal.flatMapLatest { _ in never.signal },
        "                               ------")
      m.expectSubscriptions(of: never, "-^")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.flatMapLatest { _ in never.signal },
        "                --|")
    }
  }

  @Test("the newest signal's end counts, not that of one that was left before")
  func replacedThenEnds() {
    marbles { m in
      let letters = m.hot("         -ab|")
      let a = m.cold("               -----1|")
      let b = m.cold("                -4|")
      let result = letters.signal.flatMapLatest { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "            ---4|")
      m.expectSubscriptions(of: a, "-^!")
      m.expectSubscriptions(of: b, "--^-!")
    }
  }

  @Test("inner signals that deliver at once, in the order of their values")
  func innerAtOnce() {
    marbles { m in
      let digits = m.hot("-1-(34)-|", of: Int.self)
      m.expect(
        digits.signal.flatMapLatest { .just($0) },
        "                 -1-(34)-|")
      m.expect(
        digits.signal.flatMapLatest { .sequence([$0, $0 + 1]) },
        "                 -(12)-(3445)-|")
      m.expect(
        digits.signal.flatMapLatest { _ in Signal<Int>.empty() },
        "                 -----|")

      let atOnce = m.cold("{12|}", of: Int.self)
      m.expect(
        atOnce.signal.flatMapLatest { .sequence([$0, $0 + 1]) },
        "                  {1223|}")
    }
  }

  @Test("a signal that delivers at once leaves the one before it, too")
  func replacedAtOnce() {
    marbles { m in
      let letters = m.hot("         -a--b--|")
      let a = m.cold("               -1-2-3|")
      let result = letters.signal.flatMapLatest { $0 == "a" ? a.signal : .just("9") }
      m.expect(result, "            --1-9--|")
      m.expectSubscriptions(of: a, "-^--!")
    }
  }

  @Test("Law 9: a failure of the newest signal is that of all; that of one that was left before is nothing")
  func innerFails() {
    marbles { m in
      let letters = m.hot("               -a--b----|")
      let a = m.cold("                     ----#", error: Failure(number: 1))
      let b = m.cold("                        -4-#", error: Failure(number: 2))
      let result = letters.signal.flatMapLatest { $0 == "a" ? a.signal : b.signal }
      m.expect(result, "                  -----4-#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  @Test("Law 9: a failure of the source passes at once, and the inner signal is left")
  func outerFails() {
    marbles { m in
      let letters = m.hot("         -a-#", error: Failure(number: 1))
      let a = m.cold("               -1-2|")
      m.expect(
        letters.signal.flatMapLatest { _ in a.signal },
        "                           --1#", error: Failure(number: 1))
      m.expectSubscriptions(of: a, "-^-!")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure; the source and the inner signal are left")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let a = m.cold("                     -1-2|")
      let result = letters.signal.flatMapLatest { letter in
        if letter == "x" { throw Failure() }
        return a.signal
      }
      m.expect(result, "                  --1#", error: Failure())
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: a, "      -^-!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes; the source and the inner signal are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-----b-|")
      let a = m.cold("                     -1-2-3|")
      m.expect(
        letters.signal.flatMapLatest { _ in a.signal },
        "                                 --1-2----", subscription: "^----!")
      m.expectSubscriptions(of: letters, "^----!")
      m.expectSubscriptions(of: a, "      -^---!")
    }
  }

  @Test("Law 2: a handler that sends to the source begins the next signal after the value that it has")
  func sending() {
    let outer = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = outer.signal.flatMapLatest { .sequence([$0 * 10, $0 * 10 + 1]) }.handle { value in
      if value == 10 { outer.send(2) }
    }.log(to: log)
    outer.send(1)
    #expect(log.values == [10, 11, 20, 21])
    withExtendedLifetime(subscription) {}
  }

  @Test("an endless source and an endless inner signal are read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).flatMapLatest { .just($0) }.prefix(3),
        "{123|}")
      m.expect(
        Signal.just(1).flatMapLatest { .sequence($0...) }.prefix(3),
        "{123|}")
    }
  }
}
