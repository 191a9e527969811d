import SignalTesting
import Signals
import XCTest

/// In a plain test case an assertion is reported at once, and the order after it. The other tests of this target are generated from those for Swift
/// Testing, by `scripts/test-failures`.
final class PlainExploringFailures: XCTestCase {
  func testAnOrderFailsAnAssertion() {
    exploreInterleavings { scheduler in  // must fail: inherit from ExploringTestCase
      let balance = Property(10)
      scheduler.schedule { balance.update { $0 += 5 } }
      scheduler.schedule { balance.update { $0 *= 2 } }
      try scheduler.run()
      XCTAssertEqual(balance.value, 30)  // must fail: XCTAssertEqual failed
    }
  }
}
