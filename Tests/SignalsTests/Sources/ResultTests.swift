import Probes
import SignalTesting
import Signals
import Testing

/// Delivers what a result holds.
@Suite("result")
struct ResultTests {
  @Test("the value and the end, or the error, inside subscribe")
  func values() {
    marbles { m in
      m.expect(Signal.result(Result<String, Failure>.success("a")), "{a|}")
      m.expect(Signal<String>.result(.failure(Failure(number: 1))), "{#}", error: Failure(number: 1))
      m.expect(Signal.result(Result { "b" }), "{b|}")
    }
  }
}
