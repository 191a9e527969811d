import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the values of several signals, as they come.
@Suite("merge", .healthy)
struct MergeTests {
  @Test("every value at its own moment; Law 16: it finishes after all have finished")
  func values() {
    marbles { m in
      let letters = m.hot("               -a--b--c--|")
      let digits = m.hot("                --1---2|")
      m.expect(
        letters.signal.merge(with: digits.signal),
        "                                 -a1-b-2c--|")
      m.expectSubscriptions(of: letters, "^---------!")
      m.expectSubscriptions(of: digits, " ^------!")
    }
  }

  @Test("all ways to say it; a row of calls is one operator")
  func forms() {
    marbles { m in
      let a = m.hot("-a-----|")
      let b = m.hot("---b---|")
      let c = m.hot("-----c-|")
      m.expect(
        a.signal.merge(with: b.signal, c.signal),
        "            -a-b-c-|")
      m.expect(
        a.signal.merge(with: b.signal).merge(with: c.signal),
        "            -a-b-c-|")
      m.expect(
        Signal.merge(a.signal, b.signal, c.signal),
        "            -a-b-c-|")
      m.expect(
        Signal.merge([a.signal, b.signal, c.signal]),
        "            -a-b-c-|")
      m.expect(
        merge([a.signal, b.signal, c.signal]),
        "            -a-b-c-|")
    }
  }

  @Test("Law 16: no signals are over at once; one is as it is")
  func few() {
    marbles { m in
      m.expect(Signal<String>.merge([]), "{|}")

      let one = m.hot("                     -a-b-|")
      m.expect(Signal.merge([one.signal]), "-a-b-|")
      m.expect(one.signal.merge(), "        -a-b-|")
    }
  }

  @Test("values of one moment in the order in which they are sent, those inside subscribe in the order of the signals")
  func sameMoment() {
    marbles { m in
      let letters = m.hot("-a--(bc)-|")
      let digits = m.hot(" -1--(23)-|")
      m.expect(
        letters.signal.merge(with: digits.signal),
        "                  -(a1)--(bc23)-|")
      m.expect(
        digits.signal.merge(with: letters.signal),
        "                  -(a1)--(bc23)-|")

      let first = m.cold(" {ab}-c|")
      let second = m.cold("{12|}")
      m.expect(
        first.signal.merge(with: second.signal),
        "                  {ab12}-c|")
      m.expect(
        second.signal.merge(with: first.signal),
        "                  {12ab}-c|")
    }
  }

  @Test("Law 9: the first failure is that of all; the others are left at that moment")
  func failure() {
    marbles { m in
      let letters = m.hot("               -a-#", error: Failure(number: 1))
      let digits = m.hot("                --1---2|")
      m.expect(
        letters.signal.merge(with: digits.signal),
        "                                 -a1#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: digits, " ^--!")
    }
  }

  @Test("Law 9: a signal that fails inside subscribe leaves those before it, and those behind it are not begun")
  func failsAtOnce() {
    marbles { m in
      let letters = m.hot("               -a-|")
      let digits = m.hot("                -1-|")
      let failing = m.cold("              {#}", error: Failure(number: 1))
      m.expect(
        Signal.merge(letters.signal, failing.signal, digits.signal),
        "                                 {#}", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "(^!)")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("one that sends nothing keeps the whole from finishing, and nothing else")
  func nothing() {
    marbles { m in
      let letters = m.hot("               -a-|")
      let never = m.hot("                 -----")
      m.expect(
        letters.signal.merge(with: never.signal),
        "                                 -a---")
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: never, "  ^")

      let empty = m.hot(" --|")
      let others = m.hot("-a-|")
      m.expect(
        others.signal.merge(with: empty.signal),
        "                 -a-|")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and every signal is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a--b--c--|")
      let digits = m.hot("                --1---2|")
      m.expect(
        letters.signal.merge(with: digits.signal),
        "                                 -a1-------", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: digits, " ^--!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and every signal is left at that moment")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -a--b--c--|")
      let digits = m.hot("                --1---2|")
      let result = letters.signal.merge(with: digits.signal).map { value in
        if value == "1" { throw Failure() }
        return value
      }
      m.expect(result, "                  -a#", error: Failure())
      m.expectSubscriptions(of: letters, "^-!")
      m.expectSubscriptions(of: digits, " ^-!")
    }
  }

  @Test("an endless signal is read as far as somebody takes values; the one behind it is not begun")
  func endless() {
    marbles { m in
      let digits = m.hot("-8-|", of: Int.self)
      m.expect(
        Signal.sequence(1...).merge(with: digits.signal).prefix(3),
        "                 {123|}")
      m.expectNoSubscriptions(of: digits)
    }
  }
}
