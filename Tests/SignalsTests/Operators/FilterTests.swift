import Probes
import SignalTesting
import Signals
import Testing

/// Delivers only the values that a closure accepts.
@Suite("filter")
struct FilterTests {
  @Test("what the closure accepts passes, at its own moment; the rest is left out")
  func values() {
    marbles { m in
      let digits = m.hot("                   -1-2-3-4-5-|", of: Int.self)
      m.expect(digits.signal.filter(isOdd), "-1---3---5-|")
      m.expectSubscriptions(of: digits, "    ^----------!")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                   -(123)-(4|)", of: Int.self)
      m.expect(together.signal.filter(isOdd), "-(13)-|")

      let atOnce = m.cold("                  {123}-4-5|", of: Int.self)
      m.expect(atOnce.signal.filter(isOdd), "{13}---5|")
    }
  }

  @Test("nothing, only the end, and only values that are not accepted")
  func nothing() {
    marbles { m in
      let never = m.hot("                   ----", of: Int.self)
      m.expect(never.signal.filter(isOdd), "----")

      let empty = m.hot("                   --|", of: Int.self)
      m.expect(empty.signal.filter(isOdd), "--|")

      let even = m.hot("                   -2-4-|", of: Int.self)
      m.expect(even.signal.filter(isOdd), "-----|")
    }
  }

  @Test("a failure passes unchanged")
  func failure() {
    marbles { m in
      let digits = m.hot("                   -1-2-#", of: Int.self, error: Failure(number: 1))
      m.expect(digits.signal.filter(isOdd), "-1---#", error: Failure(number: 1))
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                   -1-0-3-|", of: Int.self)
      m.expect(digits.signal.filter(isOdd), "-1-#", error: Failure())
      m.expectSubscriptions(of: digits, "    ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("                   -1-2-3-|", of: Int.self)
      m.expect(digits.signal.filter(isOdd), "-1------", subscription: "^---!")
      m.expectSubscriptions(of: digits, "    ^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).filter(isOdd).prefix(3),
        "{135|}")
    }
  }
}

/// Throws for 0.
private func isOdd(_ number: Int) throws -> Bool {
  if number == 0 { throw Failure() }
  return !number.isMultiple(of: 2)
}
