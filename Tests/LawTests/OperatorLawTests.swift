import OperatorCatalogue
import SignalTesting
import Testing

/// Every operator goes through the checks that users have for theirs.
@Suite("Every operator")
struct OperatorLawTests {
  @Test("keeps the laws", arguments: OperatorCatalogue.forms)
  func laws(of form: OperatorForm) {
    expectLaws(of: form.contract)
  }
}
