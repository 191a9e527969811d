import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the values of all the signals that a signal delivers.
@Suite("flatten")
struct FlattenTests {
  @Test("values come as they come; it finishes after all")
  func values() {
    marbles { m in
      let letters = m.hot("             -a-b-|")
      let a = m.cold("                   -1-2-3|")
      let b = m.cold("                     -4---5|")
      let signals = letters.signal.map { $0 == "a" ? a.signal : b.signal }
      m.expect(signals.flatten(), "     --1-(24)-3-5|")
    }
  }

  @Test("with maxConcurrent each begins in its turn", arguments: [1, 0, -1])
  func oneByOne(maxConcurrent: Int) {
    marbles { m in
      let letters = m.hot("               -ab-|")
      let a = m.cold("                     -1-2|")
      let b = m.cold("                         -3-4|")
      let signals = letters.signal.map { $0 == "a" ? a.signal : b.signal }
      m.expect(signals.flatten(maxConcurrent: maxConcurrent), "--1-2-3-4|")
      m.expectSubscriptions(of: b, "      -----^---!")
    }
  }

  @Test("failures, nothing, and disposal")
  func ends() {
    marbles { m in
      let letters = m.hot("               -a---|")
      let failing = m.cold("               -#", error: Failure(number: 1))
      m.expect(letters.signal.map { _ in failing.signal }.flatten(), "--#", error: Failure(number: 1))
      m.expect(Signal<Signal<String>>.never().flatten(), "---")
      m.expect(Signal<Signal<String>>.empty().flatten(), "{|}")

      let open = m.cold("                  -1-2--")
      m.expect(letters.signal.map { _ in open.signal }.flatten(), "--1-", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^-!", "^--!")
      m.expectSubscriptions(of: open, "   -^-!")
    }
  }
}
