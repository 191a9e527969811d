import Probes
import SignalTesting
import Signals
import Testing

/// Ends a debug build when its signal fails.
@Suite("assertNoFailure")
struct AssertNoFailureTests {
  @Test("what does not fail passes unchanged")
  func values() {
    marbles { m in
      let letters = m.hot("                       -a-b-|")
      m.expect(letters.signal.assertNoFailure(), "-a-b-|")
      m.expectSubscriptions(of: letters, "        ^----!")
      let atOnce = m.cold("                       {ab}-|")
      m.expect(atOnce.signal.assertNoFailure(), " {ab}-|")
      let early = m.hot("                         -a-b-|")
      m.expect(early.signal.assertNoFailure(), "  -a----", subscription: "^-!")
      m.expectSubscriptions(of: early, "          ^-!")
    }
  }

  @Test("an error of what is below stops nothing")
  func below() {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let result = letters.signal.assertNoFailure().handle { if $0 == "b" { throw Failure(number: 5) } }
      m.expect(result, "   -a-#", error: Failure(number: 5))
    }
  }

  #if DEBUG
    @Test("a failure ends a debug build, and the message has the error and the place")
    func failing() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let signal = Signal<Int>.fail(Failure(number: 3)).assertNoFailure("ours")
        signal.subscribe(onFailure: { _ in }).dispose()
      }
      let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
      #expect(text.contains("AssertNoFailureTests.swift"), "\(text)")
      #expect(text.contains("ours: the signal failed: Failure(number: 3)"), "\(text)")
    }
  #else
    @Test("in an optimised build the failure is passed on")
    func failing() {
      marbles { m in
        let letters = m.hot("                       -a-#", error: Failure(number: 1))
        m.expect(letters.signal.assertNoFailure(), "-a-#", error: Failure(number: 1))
      }
    }
  #endif
}
