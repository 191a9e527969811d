import SignalTesting
import Signals
import Testing

/// Expectations of subscriptions whose diagram is still to be written.
@Suite struct RecordedSubscriptionTests {
  @Test func saysWhichThereWere() {
    let message = failure(offset: 4) {
      marbles { m in
        let source = m.cold("-a-#")
        m.expect(source.signal.retry(1), "-a--a-#")
        m.expectSubscriptions(of: source, "")
      }
    }
    #expect(
      message == """
        An expectation without a diagram.

          received: "^--!", "---^--!"
        """)
  }

  @Test func saysThatThereWasNone() {
    let message = failure(offset: 4) {
      marbles { m in
        let source = m.cold("-a-|")
        m.expect(.just("a"), "{a|}")
        m.expectSubscriptions(of: source, "")
      }
    }
    #expect(message.contains("received: no subscription. If that is right, write expectNoSubscriptions(of:)."))
  }
}
