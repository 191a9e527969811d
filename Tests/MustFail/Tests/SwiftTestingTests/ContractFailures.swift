import FaultyOperators
import SignalTesting
import Signals
import Testing

@Suite struct ContractFailures {
  @Test func brokenLaw() {
    expectLaws(of: "firstWithoutStopping") { $0.firstWithoutStopping() }  // must fail with carets: breaks law 16, ends
  }

  @Test func lawsThatAreKept() {
    expectLaws(of: "map") { $0.map { $0 + 1 } }
  }
}
