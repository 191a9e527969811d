import Probes
import SignalTesting
import Signals
import Testing

/// Delivers one signal after the other.
@Suite("concat", .healthy)
struct ConcatTests {
  @Test("each begins when the one before it has finished")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b|")
      let digits = m.cold("                   -1-2|")
      m.expect(
        letters.signal.concat(digits.signal),
        "                                 -a-b-1-2|")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: digits, " ----^---!")
    }
  }

  @Test("what a signal sends before its turn is lost")
  func hot() {
    marbles { m in
      let letters = m.hot("              -a-b|")
      let digits = m.hot("               -1-2-3-|")
      m.expect(
        letters.signal.concat(digits.signal),
        "                                -a-b-3-|")
      m.expectSubscriptions(of: digits, "----^--!")
    }
  }

  @Test("all ways to say it; a row of calls is one operator")
  func forms() {
    marbles { m in
      let a = m.cold("-a|")
      let b = m.cold("  -b|")
      let c = m.cold("    -c|")
      m.expect(
        a.signal.concat(b.signal, c.signal),
        "             -a-b-c|")
      m.expect(
        a.signal.concat(b.signal).concat(c.signal),
        "             -a-b-c|")
      m.expect(
        Signal.concat(a.signal, b.signal, c.signal),
        "             -a-b-c|")
      m.expect(
        Signal.concat([a.signal, b.signal, c.signal]),
        "             -a-b-c|")
    }
  }

  @Test("no signals are over at once; one is as it is; the same one may come several times")
  func few() {
    marbles { m in
      m.expect(Signal<String>.concat([]), "{|}")

      let one = m.cold("                       -a|")
      m.expect(one.signal.concat(), "          -a|")
      m.expect(one.signal.concat(one.signal), "-a-a|")
      m.expectSubscriptions(
        of: one,
        "                                      ^-!",
        "                                      ^-!",
        "                                      --^-!")
    }
  }

  @Test("signals that deliver inside subscribe follow each other at one moment")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab|}")
      let digits = m.cold(" {12}-3|")
      m.expect(
        letters.signal.concat(digits.signal),
        "                   {ab12}-3|")
      m.expect(
        digits.signal.concat(letters.signal),
        "                   {12}-3(ab|)")
      m.expect(
        Signal.empty().concat(.empty(), letters.signal),
        "                   {ab|}")
    }
  }

  @Test("Law 9: a failure passes, and the signals behind are not begun")
  func failure() {
    marbles { m in
      let letters = m.hot("               -a-#", error: Failure(number: 1))
      let digits = m.cold("               -1-2|")
      m.expect(
        letters.signal.concat(digits.signal),
        "                                 -a-#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^--!")
      m.expectNoSubscriptions(of: digits)

      let first = m.cold(" -a|")
      let second = m.cold("  -1#", error: Failure(number: 2))
      m.expect(
        first.signal.concat(second.signal),
        "                  -a-1#", error: Failure(number: 2))
    }
  }

  @Test("behind a signal that never ends nothing begins")
  func nothing() {
    marbles { m in
      let never = m.hot("  ----")
      let digits = m.cold("-1|")
      m.expect(
        never.signal.concat(digits.signal),
        "                  ----")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("Law 7: after an early disposal nothing comes; the signal whose turn it is is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a|")
      let digits = m.cold("                 -1-2|")
      let unused = m.cold("               -9|")
      m.expect(
        letters.signal.concat(digits.signal, unused.signal),
        "                                 -a-1----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^-!")
      m.expectSubscriptions(of: digits, " --^-!")
      m.expectNoSubscriptions(of: unused)
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the signals behind are not begun")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let digits = m.cold("               -1|")
      let result = letters.signal.concat(digits.signal).map { value in
        if value == "b" { throw Failure() }
        return value
      }
      m.expect(result, "                  -a-#", error: Failure())
      m.expectSubscriptions(of: letters, "^--!")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("an endless signal is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.just(0).concat(.sequence(1...)).prefix(3),
        "{012|}")
    }
  }
}
