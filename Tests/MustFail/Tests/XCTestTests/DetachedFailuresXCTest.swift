import SignalTesting
import XCTest

/// A detached task does not know which test it works for, so that a failure in it is easily lost.
final class DetachedFailuresXCTest: XCTestCase {
  func testInADetachedTask() async {
    await Task.detached {
      marbles { m in
        let source = m.hot("-a-|")
        m.expect(source.signal, "-b-|")  // must fail with carets: frame 1: expected b, got a
      }
    }.value
  }
}
