import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the value at a position, and then finishes.
@Suite("element(at:)")
struct ElementAtTests {
  @Test("Law 9: the value brings the end with it, and the source is left at that moment", arguments: [0, 2])
  func values(index: Int) {
    marbles { m in
      let letters = m.hot("                       -a-b-c-d-|")
      m.expect(letters.signal.element(at: index), index == 0 ? "-(a|)" : "-----(c|)")
      m.expectSubscriptions(of: letters, index == 0 ? "^!" : "^----!")
    }
  }

  @Test("too few values: the source's own end, or its failure", arguments: [2, Int.max])
  func few(index: Int) {
    marbles { m in
      let letters = m.hot("                         -a-b-|")
      m.expect(letters.signal.element(at: index), " -----|")
      let failing = m.hot("                         -a-#", error: Failure(number: 1))
      m.expect(failing.signal.element(at: index), " ---#", error: Failure(number: 1))
      let never = m.hot("                         ----")
      m.expect(never.signal.element(at: index), " ----")
    }
  }

  @Test("below 0 it finishes inside subscribe, and nobody subscribes to the source", arguments: [-1, Int.min])
  func negative(index: Int) {
    marbles { m in
      let letters = m.hot("                         -a-b-|")
      m.expect(letters.signal.element(at: index), " {|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("values inside subscribe; an endless source is read no further")
  func atOnce() {
    marbles { m in
      m.expect(Signal.sequence(1...).element(at: 4), "{5|}")
      m.expect(m.cold("{ab}c|").signal.element(at: 2), "(c|)")
    }
  }

  @Test("each subscription counts for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      let result = letters.signal.element(at: 1)
      m.expect(result, "   ---(b|)")
      m.expect(result, "   -----(c|)", subscription: "--^")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("                     -a-b-|")
      m.expect(letters.signal.element(at: 1), " -----", subscription: "^-!")
      m.expectSubscriptions(of: letters, "      ^-!")
    }
  }
}
