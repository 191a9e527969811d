import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value together with its number.
@Suite("enumerated")
struct EnumeratedTests {
  /// What stands for which number and value in the diagrams.
  private static let letters = ["0a": "p", "1a": "q", "2b": "r", "0b": "s"]

  private static func texts(of letters: Signal<String>) -> Signal<String> {
    letters.enumerated().map { pair in Self.letters["\(pair.offset)\(pair.element)"] ?? "?" }
  }

  @Test("values are numbered from 0, in their order")
  func values() {
    marbles { m in
      let letters = m.hot("                     -a-a-b-|")
      m.expect(Self.texts(of: letters.signal), "-p-q-r-|")
      m.expectSubscriptions(of: letters, "      ^------!")

      let atOnce = m.cold("                    {aa}-b|")
      m.expect(Self.texts(of: atOnce.signal), "{pq}-r|")
    }
  }

  @Test("each subscription counts for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-a-b-|")
      let result = Self.texts(of: letters.signal)
      m.expect(result, "   -p-q-r-|")
      m.expect(result, "   -----s-|", subscription: "----^")
    }
  }

  @Test("nothing, only the end, and a failure")
  func ends() {
    marbles { m in
      let never = m.hot("                     ----")
      m.expect(Self.texts(of: never.signal), "----")

      let empty = m.hot("                     --|")
      m.expect(Self.texts(of: empty.signal), "--|")

      let failing = m.hot("                     -a-#", error: Failure(number: 1))
      m.expect(Self.texts(of: failing.signal), "-p-#", error: Failure(number: 1))
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-a-b-|")
      m.expect(Self.texts(of: letters.signal), "-p------", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("Law 2: a value that is sent while another is handled gets the next number")
  func reentrant() {
    let emitter = Emitter<String>()
    let seen = Journal<String>()
    let subscription = emitter.signal.enumerated().subscribe { offset, text in
      seen.append("\(offset)\(text)")
      if text == "a" { emitter.send("b") }
    }
    emitter.send("a")
    emitter.send("c")
    #expect(seen.entries == ["0a", "1b", "2c"])
    subscription.dispose()
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(Signal.sequence(5...).enumerated().map { $0 + $1 }.prefix(2), "{57|}")
    }
  }
}
