import Probes
import SignalTesting
import Signals
import Testing

/// Leaves out values for as long as they meet a condition.
@Suite("drop(while:)")
struct DropWhileTests {
  @Test("from the first value that does not meet the condition all come, whether or not they meet it")
  func values() {
    marbles { m in
      let digits = m.hot("                      -1-2-5-2-|", of: Int.self)
      m.expect(digits.signal.drop { $0 < 3 }, " -----5-2-|")
      m.expectSubscriptions(of: digits, "       ^--------!")
    }
  }

  @Test("none, all, only the end, and a failure")
  func ends() {
    marbles { m in
      let large = m.hot("                        -5-6-|", of: Int.self)
      m.expect(large.signal.drop { $0 < 3 }, "   -5-6-|")
      let small = m.hot("                        -1-2-|", of: Int.self)
      m.expect(small.signal.drop { $0 < 3 }, "   -----|")
      let empty = m.hot("                        --|", of: Int.self)
      m.expect(empty.signal.drop { $0 < 3 }, "   --|")
      let failing = m.hot("                      -1-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.drop { $0 < 3 }, " ---#", error: Failure(number: 1))
      let never = m.hot("                        ---", of: Int.self)
      m.expect(never.signal.drop { $0 < 3 }, "   ---")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                      -(1252)-|", of: Int.self)
      m.expect(together.signal.drop { $0 < 3 }, " -(52)-|")
      m.expect(Signal.sequence([1, 5, 2]).drop { $0 < 3 }, "{52|}")
      m.expect(Signal.sequence(1...).drop { $0 < 3 }.prefix(2), "{34|}")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure; it is not asked after the first no")
  func throwing() {
    let asked = Journal<String>()
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let result = letters.signal.drop { letter in
        if letter == "x" { throw Failure(number: 2) }
        return true
      }
      m.expect(result, "                  ---#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")

      let others = m.hot(" -a-b-c-|")
      let passed = others.signal.drop { letter in
        asked.append(letter)
        return letter == "a"
      }
      m.expect(passed, "   ---b-c-|")
    }
    #expect(asked.entries == ["a", "b"])
  }

  @Test("each subscription begins anew; one that leaves gets nothing more")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("-1-5-1-5-|", of: Int.self)
      let result = digits.signal.drop { $0 < 3 }
      m.expect(result, "  ---5-1-5-|")
      m.expect(result, "  -------5-|", subscription: "----^")
      m.expect(result, "  ---5------", subscription: "^---!")
    }
  }
}
