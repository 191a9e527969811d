import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value when a signal that was made for it delivers.
@Suite("delay(by:)")
struct DelayByTests {
  @Test("each value waits for its own signal; values may overtake each other")
  func values() {
    marbles { m in
      let letters = m.hot("-a-bc------|")
      let (slow, fast) = (m.cold("-----xy"), m.cold("-x"))
      let result = letters.signal.delay(by: { letter in letter == "a" ? slow.signal : fast.signal })
      m.expect(result, "   ----bca----|")
      m.expectSubscriptions(of: slow, "-^----!")
      m.expectSubscriptions(of: fast, "---^!", "----^!")
    }
  }

  @Test("Law 16: the end waits for the values that wait; one whose signal finishes without a value is dropped")
  func ends() {
    marbles { m in
      let letters = m.hot("                                 -ab|")
      let other = m.cold("                                   ----x")
      m.expect(letters.signal.delay(by: { _ in other.signal }), "-----a(b|)")
      let over = m.cold("                                    --|")
      m.expect(letters.signal.delay(by: { _ in over.signal }), " ----|")
      let empty = m.hot("--|")
      m.expect(empty.signal.delay(by: { _ in other.signal }), "--|")
    }
  }

  @Test("a failure of either passes at once, and what waits does not")
  func failure() {
    marbles { m in
      let failing = m.hot("                                  -a-#", error: Failure(number: 1))
      let never = m.cold("                                    ----")
      m.expect(failing.signal.delay(by: { _ in never.signal }), "---#", error: Failure(number: 1))
      let letters = m.hot("                                  -ab----|")
      let other = m.cold("                                    --#", error: Failure(number: 2))
      m.expect(letters.signal.delay(by: { _ in other.signal }), "---#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "                   ^--!")
      m.expectSubscriptions(of: other, "                     -^-!", "--^!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and all is left")
  func disposal() {
    marbles { m in
      let letters = m.hot("                                  -ab----|")
      let other = m.cold("                                    ---x")
      m.expect(letters.signal.delay(by: { _ in other.signal }), "----a---", subscription: "^----!")
      m.expectSubscriptions(of: other, "                     -^--!", "--^--!")
    }
  }
}
