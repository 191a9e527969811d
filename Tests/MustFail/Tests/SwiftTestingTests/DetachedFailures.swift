import SignalTesting
import Testing

/// A detached task does not know which test it works for, so that a failure in it is easily lost.
@Suite struct DetachedFailures {
  @Test func inADetachedTask() async {
    await Task.detached {
      marbles { m in
        let source = m.hot("-a-|")
        // XCTest: m.expect(source.signal, "-b-|")  // must fail with carets: frame 1: expected b, got a
        m.expect(source.signal, "-b-|")  // must fail without its test, with carets: frame 1: expected b, got a
      }
    }.value
  }
}
