import Probes
import SignalTesting
import Signals
import Testing

/// Limits of their own for the first value and for later ones.
@Suite("timeout, with two limits")
struct TimeoutLimitsTests {
  private let short = Duration.milliseconds(3)
  private let long = Duration.milliseconds(6)

  @Test("the first value may take as long as its limit says, the others as theirs; the failure tells which it was")
  func both() {
    marbles { m in
      let slow = m.hot("                  -----a--b------|")
      m.expect(
        slow.signal.timeout(first: long, between: short, on: m.scheduler),
        "                                 -----a--b--#", error: TimeoutError(interval: short))
      m.expectSubscriptions(of: slow, "   ^----------!", "^--!")

      let late = m.hot("                  -------a|")
      m.expect(
        late.signal.timeout(first: long, between: short, on: m.scheduler),
        "                                 ------#", error: TimeoutError(interval: long))
      m.expect(
        slow.signal.timeout(first: short, between: long, on: m.scheduler),
        "                                 ---#", error: TimeoutError(interval: short))
    }
  }

  @Test("a limit for the first value alone: then it may be silent for ever")
  func first() {
    marbles { m in
      let letters = m.hot("-a----------b-|")
      m.expect(
        letters.signal.timeout(first: short, between: nil, on: m.scheduler),
        "                  -a----------b-|")
      let never = m.hot("------")
      m.expect(
        never.signal.timeout(first: short, between: nil, on: m.scheduler),
        "                  ---#", error: TimeoutError(interval: short))
    }
  }

  @Test("a limit between values alone: the first may take for ever")
  func between() {
    marbles { m in
      let letters = m.hot("----------a-b----|")
      m.expect(
        letters.signal.timeout(first: nil, between: short, on: m.scheduler),
        "                  ----------a-b--#", error: TimeoutError(interval: short))
    }
  }

  @Test("no limit at all")
  func none() {
    marbles { m in
      let letters = m.hot("----------a------|")
      m.expect(letters.signal.timeout(first: nil, between: nil, on: m.scheduler), "----------a------|")
    }
  }

  @Test("a value that comes exactly when the time is up is in time, the first and others")
  func boundary() {
    marbles { m in
      let letters = m.hot("------a--b|")
      m.expect(letters.signal.timeout(first: long, between: short, on: m.scheduler), "------a--b|")
    }
  }

  @Test("with a fallback")
  func fallback() {
    marbles { m in
      let letters = m.hot("-a------")
      let digits = m.cold("    -1|")
      m.expect(
        letters.signal.timeout(first: long, between: short, on: m.scheduler, fallback: digits.signal),
        "                  -a---1|")
    }
  }

  @Test("values inside subscribe, on a scheduler on which no time passes")
  func atOnce() {
    let log = EventLog<Int>()
    let subscription = Signal.sequence([1, 2]).concat(.never())
      .timeout(first: short, between: long, on: .immediate).log(to: log)
    #expect(log.events == [.value(1), .value(2), .failed(TimeoutError(interval: long))])
    #expect(subscription.isDisposed)
  }
}
