import Probes
import SignalTesting
import Signals
import Testing

/// Leaves out each value that equals the one before it.
@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test("a value that equals the one before is left out; it may come again later")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-a-b-b-b-a-|")
      m.expect(
        letters.signal.removeDuplicates(),
        "                                 -a---b-----a-|")
      m.expectSubscriptions(of: letters, "^------------!")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("-(aab)-(b|)")
      m.expect(
        together.signal.removeDuplicates(),
        "                   -(ab)-|")

      let atOnce = m.cold("{aab}-b-a|")
      m.expect(
        atOnce.signal.removeDuplicates(),
        "                  {ab}---a|")
    }
  }

  @Test("a closure may say what is equal; a value is compared with the last one that was delivered")
  func by() {
    marbles { m in
      let digits = m.hot("-1-2-3-4-8-7-|", of: Int.self)
      m.expect(
        digits.signal.removeDuplicates(by: areNeighbours),
        "                 -1---3---8---|")
    }
  }

  @Test("the closure gets the value before first, and is not asked about the first value")
  func arguments() {
    let asked = Journal<[Int]>()
    marbles { m in
      let digits = m.hot("-1-2-2-5-|", of: Int.self)
      let result = digits.signal.removeDuplicates { before, value in
        asked.append([before, value])
        return before == value
      }
      m.expect(result, "  -1-2---5-|")
    }
    #expect(asked.entries == [[1, 2], [2, 2], [2, 5]])
  }

  @Test("nothing, only the end, and one value")
  func few() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.removeDuplicates(),
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.removeDuplicates(),
        "                --|")

      let one = m.hot("                        -a-|")
      m.expect(one.signal.removeDuplicates(), "-a-|")
    }
  }

  @Test("each subscription remembers for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-a-b-|")
      let result = letters.signal.removeDuplicates()
      m.expect(result, "   -a---b-|")
      m.expect(result, "   ---a-b-|", subscription: "--^")
    }
  }

  @Test("a failure passes unchanged")
  func failure() {
    marbles { m in
      let letters = m.hot("-a-a-#", error: Failure(number: 1))
      m.expect(
        letters.signal.removeDuplicates(),
        "                  -a---#", error: Failure(number: 1))
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("               -1-0-3-|", of: Int.self)
      m.expect(
        digits.signal.removeDuplicates(by: areNeighbours),
        "                                -1-#", error: Failure())
      m.expectSubscriptions(of: digits, "^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-a-b-|")
      m.expect(
        letters.signal.removeDuplicates(),
        "                                 -a------", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(2...).map { $0 / 2 }.removeDuplicates().prefix(3),
        "{123|}")
    }
  }
}

/// Throws where the second number is 0.
private func areNeighbours(_ first: Int, _ second: Int) throws -> Bool {
  if second == 0 { throw Failure() }
  return abs(first - second) <= 1
}
