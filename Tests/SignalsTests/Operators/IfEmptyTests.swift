import Probes
import SignalTesting
import Signals
import Testing

/// Continues with another signal if there was no value.
@Suite("ifEmpty")
struct IfEmptyTests {
  @Test("the other signal begins when this one finishes without a value")
  func values() {
    marbles { m in
      let empty = m.hot("                --|")
      let digits = m.cold("              -1-2|")
      m.expect(
        empty.signal.ifEmpty(switchTo: digits.signal),
        "                                ---1-2|")
      m.expectSubscriptions(of: empty, " ^-!")
      m.expectSubscriptions(of: digits, "--^---!")
    }
  }

  @Test("after a value the end is the end, and nobody subscribes to the other signal")
  func notEmpty() {
    marbles { m in
      let letters = m.hot("-a-b|")
      let digits = m.cold("-1-2|")
      m.expect(
        letters.signal.ifEmpty(switchTo: digits.signal),
        "                  -a-b|")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("inside subscribe, one after the other; in a row the first that has something counts")
  func atOnce() {
    marbles { m in
      let empty = m.cold("  {|}")
      let digits = m.cold(" {12|}")
      let letters = m.cold("{a|}")
      m.expect(
        empty.signal.ifEmpty(switchTo: digits.signal),
        "                   {12|}")
      m.expect(
        empty.signal.ifEmpty(switchTo: empty.signal).ifEmpty(switchTo: digits.signal).ifEmpty(switchTo: letters.signal),
        "                   {12|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("both without a value, and neither with an end")
  func nothing() {
    marbles { m in
      let empty = m.cold("-|")
      m.expect(
        empty.signal.ifEmpty(switchTo: empty.signal),
        "                 --|")

      let never = m.cold("----")
      m.expect(
        never.signal.ifEmpty(switchTo: empty.signal),
        "                 ----")
      m.expect(
        empty.signal.ifEmpty(switchTo: never.signal),
        "                 -----")
    }
  }

  @Test("Law 9: a failure is no regular end: nobody subscribes to the other signal, whose own failure passes too")
  func failure() {
    marbles { m in
      let failing = m.hot("--#", error: Failure(number: 1))
      let digits = m.cold("-1|")
      m.expect(
        failing.signal.ifEmpty(switchTo: digits.signal),
        "                  --#", error: Failure(number: 1))
      m.expectNoSubscriptions(of: digits)

      let empty = m.cold(" -|")
      let second = m.cold("-1#", error: Failure(number: 2))
      m.expect(
        empty.signal.ifEmpty(switchTo: second.signal),
        "                  --1#", error: Failure(number: 2))
    }
  }

  @Test("Law 7: after an early disposal nothing comes; the signal whose turn it is is left at that moment")
  func disposal() {
    marbles { m in
      let empty = m.hot("                -|")
      let digits = m.cold("              -1-2|")
      let result = empty.signal.ifEmpty(switchTo: digits.signal)
      m.expect(result, "                --1--", subscription: "^--!")
      m.expectSubscriptions(of: empty, " ^!")
      m.expectSubscriptions(of: digits, "-^-!")
    }
  }

  @Test("an endless replacement is read as far as somebody takes values; what a handler sends comes afterwards")
  func endless() {
    marbles { m in
      m.expect(Signal.empty().ifEmpty(switchTo: .sequence(1...)).prefix(3), "{123|}")
    }
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Signal.empty().ifEmpty(switchTo: emitter.signal).handle { if $0 < 3 { emitter.send($0 + 1) } }
      .log(to: log)
    emitter.send(1)
    #expect(log.values == [1, 2, 3])
    subscription.dispose()
    #expect(emitter.subscriberCount == 0)
  }
}
