import Probes
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
