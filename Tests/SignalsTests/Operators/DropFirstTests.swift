import Probes
import SignalTesting
import Signals
import Testing

/// Leaves out the first values.
@Suite("dropFirst")
struct DropFirstTests {
  @Test("the first values are left out, one if no number is given")
  func values() {
    marbles { m in
      let letters = m.hot("                  -a-b-c-d-|")
      m.expect(letters.signal.dropFirst(), " ---b-c-d-|")
      m.expect(letters.signal.dropFirst(3), "-------d-|")
      m.expectSubscriptions(
        of: letters,
        "                                    ^--------!",
        "                                    ^--------!")
    }
  }

  @Test("a count of 0 or less leaves nothing out", arguments: [0, -1, Int.min])
  func none(count: Int) {
    marbles { m in
      let letters = m.hot("-a-b-|")
      m.expect(
        letters.signal.dropFirst(count),
        "                  -a-b-|")
    }
  }

  @Test("more than there are: only the end comes", arguments: [2, 3, Int.max])
  func all(count: Int) {
    marbles { m in
      let letters = m.hot("-a-b-|")
      m.expect(
        letters.signal.dropFirst(count),
        "                  -----|")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                  -(abc)-(d|)")
      m.expect(together.signal.dropFirst(2), "-c-(d|)")

      let atOnce = m.cold("                 {abc}-d|")
      m.expect(atOnce.signal.dropFirst(2), "{c}-d|")
    }
  }

  @Test("nothing, only the end, and one value")
  func few() {
    marbles { m in
      let never = m.hot("                 ----")
      m.expect(never.signal.dropFirst(), "----")

      let empty = m.hot("                 --|")
      m.expect(empty.signal.dropFirst(), "--|")

      let one = m.hot("                 -a-|")
      m.expect(one.signal.dropFirst(), "---|")
    }
  }

  @Test("each subscription counts for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let result = letters.signal.dropFirst()
      m.expect(result, "   ---b-c-|")
      m.expect(result, "   -----c-|", subscription: "--^")
    }
  }

  @Test("a failure passes, also while values are left out")
  func failure() {
    marbles { m in
      let letters = m.hot("                  -a-#", error: Failure(number: 1))
      m.expect(letters.signal.dropFirst(5), "---#", error: Failure(number: 1))
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("                 -a-b-c-|")
      m.expect(letters.signal.dropFirst(), "---b----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "  ^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).dropFirst(3).prefix(3),
        "{456|}")
    }
  }
}
