import FaultyOperators
import SignalTesting
import Signals
import XCTest

final class ContractFailuresXCTest: XCTestCase {
  func testBrokenLaw() {
    expectLaws(of: "firstWithoutStopping") { $0.firstWithoutStopping() }  // must fail with carets: breaks law 16, ends
  }

  func testLawsThatAreKept() {
    expectLaws(of: "map") { $0.map { $0 + 1 } }
  }
}
