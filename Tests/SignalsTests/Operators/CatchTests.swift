import Probes
import SignalTesting
import Signals
import Testing

/// Continues with another signal when this one fails.
@Suite("catch")
struct CatchTests {
  @Test("Law 9: a failure is replaced by the other signal, which begins at that moment; the source is left")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-#")
      let digits = m.cold("                  -1-2|")
      m.expect(
        letters.signal.catch { _ in digits.signal },
        "                                 -a--1-2|")
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: digits, " ---^---!")
    }
  }

  @Test("without a failure nothing is replaced")
  func finishing() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let digits = m.cold("-1-2|")
      m.expect(
        letters.signal.catch { _ in digits.signal },
        "                  -a-b-|")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("the closure is told of the failure")
  func error() {
    marbles { m in
      let letters = m.hot("-a-#", error: Failure(number: 5))
      m.expect(
        letters.signal.catch { .just("\(($0 as? Failure)?.number ?? 0)") },
        "                  -a-(5|)")
    }
  }

  @Test("what replaces it may fail, and that failure passes")
  func replacementFails() {
    marbles { m in
      let letters = m.hot("-a-#", error: Failure(number: 1))
      let digits = m.cold("   -1#", error: Failure(number: 2))
      m.expect(
        letters.signal.catch { _ in digits.signal },
        "                  -a--1#", error: Failure(number: 2))

      let atOnce = m.cold("{#}")
      m.expect(
        atOnce.signal.catch { _ in .fail(Failure(number: 2)) },
        "                  {#}", error: Failure(number: 2))
    }
  }

  @Test("Law 11: what the closure throws is the failure")
  func throwing() {
    marbles { m in
      let letters = m.hot("-a-#", error: Failure(number: 1))
      m.expect(
        letters.signal.catch { _ in throw Failure(number: 3) },
        "                  -a-#", error: Failure(number: 3))

      let atOnce = m.cold("{#}")
      m.expect(
        atOnce.signal.catch { _ in throw Failure(number: 3) },
        "                  {#}", error: Failure(number: 3))
    }
  }

  @Test("inside subscribe: a source that fails there, and a replacement that delivers there")
  func atOnce() {
    marbles { m in
      let letters = m.cold("              {a#}")
      let digits = m.cold("               {1}-2|")
      m.expect(
        letters.signal.catch { _ in digits.signal },
        "                                 {a1}-2|")
      m.expectSubscriptions(of: letters, "(^!)")
      m.expectSubscriptions(of: digits, " ^-!")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.catch { _ in .just("1") },
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.catch { _ in .just("1") },
        "                --|")
    }
  }

  @Test("replaced by nothing, and by a signal that never ends")
  func replacedByNothing() {
    marbles { m in
      let letters = m.hot("-a-#")
      m.expect(
        letters.signal.catch { _ in .empty() },
        "                  -a-|")
      m.expect(
        letters.signal.catch { _ in .never() },
        "                  -a----")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and whichever runs is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("              -a-#")
      let digits = m.cold("                 -1-2|")
      m.expect(
        letters.signal.catch { _ in digits.signal },
        "                                -a------", subscription: "^-!")
      m.expect(
        letters.signal.catch { _ in digits.signal },
        "                                -a--1---", subscription: "^----!")
      m.expectSubscriptions(
        of: letters,
        "                                ^-!",
        "                                ^--!")
      m.expectSubscriptions(of: digits, "---^-!")
    }
  }

  @Test("Law 11: what a closure below throws is not replaced")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      let digits = m.cold("               -1-2|")
      let result = letters.signal.catch { _ in digits.signal }.map { letter in
        if letter == "b" { throw Failure(number: 4) }
        return letter
      }
      m.expect(result, "                  -a-#", error: Failure(number: 4))
      m.expectSubscriptions(of: letters, "^--!")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("an endless source, and an endless replacement, are read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).catch { _ in .empty() }.prefix(3),
        "{123|}")
      m.expect(
        Signal.fail(Failure()).catch { _ in .sequence(1...) }.prefix(3),
        "{123|}")
    }
  }
}
