import Probes
import SignalTesting
import Signals
import Testing

/// Combines each value with the result so far, and delivers the new result.
@Suite("scan")
struct ScanTests {
  @Test("with an initial result: each new result, at the moment of its value; the initial one is not delivered")
  func initial() {
    marbles { m in
      let digits = m.hot("                  -1-2-3-|", of: Int.self)
      m.expect(digits.signal.scan(1, sum), "-2-4-7-|")
      m.expectSubscriptions(of: digits, "   ^------!")
    }
  }

  @Test("the result may be of another type than the values")
  func otherType() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      m.expect(
        letters.signal.scan(0) { count, _ in count + 1 },
        "                  -1-2-3-|")
    }
  }

  @Test("without an initial result, the first value is the first result, and the closure is not called for it")
  func first() {
    marbles { m in
      let digits = m.hot("               -0-2-3-|", of: Int.self)
      m.expect(digits.signal.scan(sum), "-0-2-5-|")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                  -(123)-(3|)", of: Int.self)
      m.expect(together.signal.scan(0, sum), "-(136)-(9|)")

      let atOnce = m.cold("              {123}-3|", of: Int.self)
      m.expect(atOnce.signal.scan(sum), "{136}-9|")
    }
  }

  @Test("each subscription begins anew")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("-1-2-3-|", of: Int.self)
      let sums = digits.signal.scan(0, sum)
      m.expect(sums, "    -1-3-6-|")
      m.expect(sums, "    ---2-5-|", subscription: "--^")

      let starts = digits.signal.scan(sum)
      m.expect(starts, "-1-3-6-|")
      m.expect(starts, "---2-5-|", subscription: "--^")
    }
  }

  @Test("nothing, and only the end: no result, not even the initial one")
  func nothing() {
    marbles { m in
      let never = m.hot("                  ----", of: Int.self)
      m.expect(never.signal.scan(1, sum), "----")
      m.expect(never.signal.scan(sum), "   ----")

      let empty = m.hot("                  --|", of: Int.self)
      m.expect(empty.signal.scan(1, sum), "--|")
      m.expect(empty.signal.scan(sum), "   --|")
    }
  }

  @Test("a failure passes unchanged")
  func failure() {
    marbles { m in
      let digits = m.hot("                  -1-2-#", of: Int.self, error: Failure(number: 1))
      m.expect(digits.signal.scan(0, sum), "-1-3-#", error: Failure(number: 1))
      m.expect(digits.signal.scan(sum), "   -1-3-#", error: Failure(number: 1))
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                  -1-0-3-|", of: Int.self)
      m.expect(digits.signal.scan(0, sum), "-1-#", error: Failure())
      m.expect(digits.signal.scan(sum), "   -1-#", error: Failure())
      m.expectSubscriptions(
        of: digits,
        "                                   ^--!",
        "                                   ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("                  -1-2-3-|", of: Int.self)
      m.expect(digits.signal.scan(0, sum), "-1-3----", subscription: "^---!")
      m.expectSubscriptions(of: digits, "   ^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).scan(0, sum).prefix(3),
        "{136|}")
    }
  }
}

/// Throws where the second number is 0.
private func sum(_ first: Int, _ second: Int) throws -> Int {
  if second == 0 { throw Failure() }
  return first + second
}
