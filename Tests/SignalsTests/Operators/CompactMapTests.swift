import Probes
import SignalTesting
import Signals
import Testing

/// Delivers what a closure makes of each value, leaving out nil.
@Suite("compactMap")
struct CompactMapTests {
  @Test("each value becomes what the closure makes of it, at its own moment; nil is left out")
  func values() {
    marbles { m in
      let texts = m.hot("               -1-a-2-b-|")
      m.expect(
        texts.signal.compactMap(number),
        "                               -1---2---|")
      m.expectSubscriptions(of: texts, "^--------!")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("-(1a2)-(b|)")
      m.expect(
        together.signal.compactMap(number),
        "                   -(12)-|")

      let atOnce = m.cold("{1a2}-b-3|")
      m.expect(
        atOnce.signal.compactMap(number),
        "                  {12}---3|")
    }
  }

  @Test("only one layer of nil is taken away: what is left may be nil itself")
  func layers() {
    marbles { m in
      let texts = m.hot("-a-b-c-|")
      let result = texts.signal.compactMap { text -> Int?? in
        switch text {
        case "a": .none
        case "b": .some(nil)
        default: .some(3)
        }
      }
      m.expect(result, " ---n-3-|", values: ["n": nil, "3": 3])
    }
  }

  @Test("nothing, only the end, and only nil")
  func nothing() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.compactMap(number),
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.compactMap(number),
        "                --|")

      let letters = m.hot("-a-b-|")
      m.expect(
        letters.signal.compactMap(number),
        "                  -----|")
    }
  }

  @Test("a failure passes unchanged")
  func failure() {
    marbles { m in
      let texts = m.hot("-1-a-#", error: Failure(number: 1))
      m.expect(
        texts.signal.compactMap(number),
        "                -1---#", error: Failure(number: 1))
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let texts = m.hot("               -1-x-2-|")
      m.expect(
        texts.signal.compactMap(number),
        "                               -1-#", error: Failure())
      m.expectSubscriptions(of: texts, "^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let texts = m.hot("               -1-2-3-|")
      m.expect(
        texts.signal.compactMap(number),
        "                               -1-2----", subscription: "^---!")
      m.expectSubscriptions(of: texts, "^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      let thirds: Signal<Int> = Signal.sequence(1...).compactMap { $0.isMultiple(of: 3) ? $0 : nil }
      m.expect(thirds.prefix(3), "{369|}")
    }
  }
}

/// The number that a text says; nil for other texts; throws for x.
private func number(_ text: String) throws -> Int? {
  if text == "x" { throw Failure() }
  return Int(text)
}
