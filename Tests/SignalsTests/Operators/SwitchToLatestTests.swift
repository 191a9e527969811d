import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the values of the newest of the signals that a signal delivers.
@Suite("switchToLatest")
struct SwitchToLatestTests {
  @Test("a newer signal leaves the one before it; it finishes after the newest and the outer one")
  func values() {
    marbles { m in
      let letters = m.hot("               -a--b----|")
      let a = m.cold("                     -1-2-3|")
      let b = m.cold("                        -4-5|")
      let signals = letters.signal.map { $0 == "a" ? a.signal : b.signal }
      m.expect(signals.switchToLatest(), "--1--4-5-|")
      m.expectSubscriptions(of: a, "      -^--!")
      m.expectSubscriptions(of: b, "      ----^---!")
    }
  }

  @Test("failures, and disposal")
  func ends() {
    marbles { m in
      let letters = m.hot("               -a---|")
      let failing = m.cold("               -#", error: Failure(number: 1))
      m.expect(letters.signal.map { _ in failing.signal }.switchToLatest(), "--#", error: Failure(number: 1))

      let open = m.cold("                  -1-2--")
      m.expect(letters.signal.map { _ in open.signal }.switchToLatest(), "--1-", subscription: "^--!")
      m.expectSubscriptions(of: open, "   -^-!")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      m.expect(Signal<Signal<String>>.never().switchToLatest(), "---")
      m.expect(Signal<Signal<String>>.empty().switchToLatest(), "{|}")
      m.expect(Signal.just(Signal.just("a")).switchToLatest(), " {a|}")
    }
  }

  @Test("a property of signals")
  func property() {
    let (first, second) = (Property(1), Property(10))
    let shown = Property(first.signal)
    let log = EventLog<Int>()
    let subscription = shown.signal.switchToLatest().log(to: log)
    first.value = 2
    shown.value = second.signal
    first.value = 3
    second.value = 11
    #expect(log.values == [1, 2, 10, 11])
    #expect(first.subscriberCount == 0)
    withExtendedLifetime(subscription) {}
  }
}
