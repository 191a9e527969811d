import Probes
import SignalTesting
import Signals
import Testing

/// Delivers what a closure makes of each value.
@Suite("map")
struct MapTests {
  @Test("each value becomes what the closure makes of it, at its own moment; the end passes")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let result = letters.signal.map(capital)
      m.expect(result, "                  -A-B-C-|")
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  @Test("several values of one moment, and those inside subscribe, keep their order")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                  -(abc)-(d|)")
      m.expect(together.signal.map(capital), "-(ABC)-(D|)")

      let atOnce = m.cold("                 {ab}-c|")
      m.expect(atOnce.signal.map(capital), "{AB}-C|")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      let never = m.hot("                  ----")
      m.expect(never.signal.map(capital), "----")
      m.expectSubscriptions(of: never, "   ^")

      let empty = m.hot("                  --|")
      m.expect(empty.signal.map(capital), "--|")
      m.expectSubscriptions(of: empty, "   ^-!")
    }
  }

  @Test("a failure passes unchanged")
  func failure() {
    marbles { m in
      let letters = m.hot("                  -a-#", error: Failure(number: 1))
      m.expect(letters.signal.map(capital), "-A-#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "   ^--!")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let letters = m.hot("                  -a-x-b-|")
      m.expect(letters.signal.map(capital), "-A-#", error: Failure())
      m.expectSubscriptions(of: letters, "   ^--!")

      let atOnce = m.cold("                 {axb}|")
      m.expect(atOnce.signal.map(capital), "{A#}", error: Failure())
      m.expectSubscriptions(of: atOnce, "   (^!)")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("                  -a-b-c-|")
      m.expect(letters.signal.map(capital), "-A-B----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "   ^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).map { 10 - $0 }.prefix(3),
        "{987|}")
    }
  }

  @Test("each subscription runs the closure for itself")
  func subscriptions() {
    let count = Box(0)
    marbles { m in
      let letters = m.hot("-a-b-|")
      let counted = letters.signal.map { _ in
        count.withLock { count in
          count += 1
          return count
        }
      }
      m.expect(counted, "  -1-2-|")
      m.expect(counted, "  ---3-|", subscription: "--^")
      m.expectSubscriptions(
        of: letters,
        "                  ^----!",
        "                  --^--!")
    }
  }
}

/// The letter as a capital; throws for x.
private func capital(_ letter: String) throws -> String {
  if letter == "x" { throw Failure() }
  return letter.uppercased()
}
