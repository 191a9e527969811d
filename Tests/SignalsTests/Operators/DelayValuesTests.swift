import SignalTesting
import Signals
import Testing

/// Delivers each value after a delay, and the end as soon as no value is waiting.
@Suite("delayValues")
struct DelayValuesTests {
  private let time = Duration.milliseconds(3)

  @Test("the end comes without delay if nothing is waiting, with the last value otherwise")
  func ends() {
    marbles { m in
      let early = m.hot("                                          -a-b----|")
      m.expect(early.signal.delayValues(for: time, on: m.scheduler), "----a-b-|")
      let late = m.hot("                                           -a-b|")
      m.expect(late.signal.delayValues(for: time, on: m.scheduler), " ----a-(b|)")
      let empty = m.hot("                                          --|")
      m.expect(empty.signal.delayValues(for: time, on: m.scheduler), "--|")
      m.expectSubscriptions(of: late, "                            ^---!")
    }
  }

  @Test("a failure is not delayed, and drops what waits")
  func failure() {
    marbles { m in
      let failing = m.hot("                                          -a--b#", error: Failure(number: 1))
      m.expect(failing.signal.delayValues(for: time, on: m.scheduler), "----a#", error: Failure(number: 1))
    }
  }

  @Test("Law 14: what comes inside subscribe is delivered on the scheduler, the end too")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab|}")
      m.expect(letters.signal.delayValues(for: time, on: m.scheduler), "---(ab|)")
      let empty = m.cold("{|}")
      m.expect(empty.signal.delayValues(for: time, on: m.scheduler), "|")
    }
  }

  @Test("Law 7: after an early disposal nothing comes")
  func disposal() {
    marbles { m in
      let letters = m.hot("                                          -ab|")
      m.expect(letters.signal.delayValues(for: time, on: m.scheduler), "----a---", subscription: "^----!")
    }
  }

  @Test("where the scheduler runs all at once, all comes inside send")
  func immediately() {
    let log = EventLog<Int>()
    Signal.sequence([1, 2]).delayValues(for: time, on: .immediate).log(to: log).dispose()
    #expect(log.events == [.value(1), .value(2), .finished])
  }
}

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
