import Probes
import SignalTesting
import Signals
import Testing

/// Gives the operator that it is called on a name. What the name does in the graph is told in `RecordedGraphTests`.
@Suite("named")
struct NamedTests {
  @Test("values and the end pass unchanged, at their own moments")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-(bc)-|")
      m.expect(
        letters.signal.named("letters"),
        "                                 -a-(bc)-|")
      m.expectSubscriptions(of: letters, "^----!")

      let atOnce = m.cold("{ab}-c|")
      m.expect(
        atOnce.signal.named("letters"),
        "                  {ab}-c|")
    }
  }

  @Test("nothing, only the end, and a failure")
  func ends() {
    marbles { m in
      let never = m.hot("                      ----")
      m.expect(never.signal.named("letters"), "----")

      let empty = m.hot("                      --|")
      m.expect(empty.signal.named("letters"), "--|")

      let failing = m.hot("--#", error: Failure(number: 1))
      m.expect(
        failing.signal.named("letters"),
        "                  --#", error: Failure(number: 1))
    }
  }

  @Test("any name will do, and a name may be given anew", arguments: ["", "two\nlines", "🙂"])
  func names(name: String) {
    marbles { m in
      let letters = m.hot("-a-|")
      m.expect(
        letters.signal.map { $0 }.named(name).named("another"),
        "                  -a-|")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      m.expect(
        letters.signal.named("letters"),
        "                                 -a-b----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).named("digits").prefix(3),
        "{123|}")
    }
  }
}
