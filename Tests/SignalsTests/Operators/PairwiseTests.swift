import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value together with the one before it.
@Suite("pairwise")
struct PairwiseTests {
  /// What stands for which pair in the diagrams.
  private static let letters = [[1, 2]: "a", [2, 2]: "b", [2, 5]: "c", [5, 1]: "d"]

  private static func pairs(of digits: Signal<Int>) -> Signal<String> {
    digits.pairwise().map { before, value in letters[[before, value]] ?? "\(before), \(value)" }
  }

  @Test("each value comes with the one before it; the first alone delivers nothing")
  func values() {
    marbles { m in
      let digits = m.hot("                     -1-2-2-5-1-|", of: Int.self)
      m.expect(Self.pairs(of: digits.signal), "---a-b-c-d-|")
      m.expectSubscriptions(of: digits, "      ^----------!")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                     -(122)-(51|)", of: Int.self)
      m.expect(Self.pairs(of: together.signal), "-(ab)-(cd|)")

      let atOnce = m.cold("                    {122}-5-|", of: Int.self)
      m.expect(Self.pairs(of: atOnce.signal), "{ab}-c-|")
    }
  }

  @Test("nothing, only the end, and one value")
  func few() {
    marbles { m in
      let never = m.hot("                     ----", of: Int.self)
      m.expect(Self.pairs(of: never.signal), "----")

      let empty = m.hot("                     --|", of: Int.self)
      m.expect(Self.pairs(of: empty.signal), "--|")

      let one = m.hot("                     -1-|", of: Int.self)
      m.expect(Self.pairs(of: one.signal), "---|")
    }
  }

  @Test("each subscription remembers for itself")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("-1-2-2-5-|", of: Int.self)
      let result = Self.pairs(of: digits.signal)
      m.expect(result, "  ---a-b-c-|")
      m.expect(result, "  -------c-|", subscription: "----^")
    }
  }

  @Test("a failure passes unchanged")
  func failure() {
    marbles { m in
      let digits = m.hot("                     -1-2-#", of: Int.self, error: Failure(number: 1))
      m.expect(Self.pairs(of: digits.signal), "---a-#", error: Failure(number: 1))
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("                     -1-2-2-5-|", of: Int.self)
      m.expect(Self.pairs(of: digits.signal), "---a------", subscription: "^---!")
      m.expectSubscriptions(of: digits, "      ^---!")
    }
  }

  @Test("Law 2: a value that is sent while a pair is handled comes with the value of that pair")
  func reentrant() {
    let digits = Emitter<Int>()
    let pairs = Journal<[Int]>()
    let subscription = digits.signal.pairwise().subscribe { before, value in
      pairs.append([before, value])
      if value == 2 { digits.send(3) }
    }
    digits.send(1)
    digits.send(2)
    digits.send(4)
    #expect(pairs.entries == [[1, 2], [2, 3], [3, 4]])
    subscription.dispose()
  }

  @Test("an endless source is read as far as somebody takes pairs")
  func endless() {
    marbles { m in
      m.expect(Self.pairs(of: .sequence(1...)).prefix(1), "{a|}")
    }
  }
}
