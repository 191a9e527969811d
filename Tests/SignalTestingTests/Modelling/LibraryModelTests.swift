import Signals
import Testing

@testable import SignalTesting

@Suite struct LibraryModelTests {
  /// What chains are made of.
  static let operators =
    ValueModels.all + SelectionModels.all + CombiningModels.all + ArrayModels.all + BufferModels.all
    + GroupingModels.all + TimeModels.all + PlaceModels.all

  /// All models; some need signals that start anew for every subscriber, or subscribe to the upstream more than once.
  static let all =
    operators.map(LibraryModel.init) + FlatteningModels.all + TriggerModels.all + SharingModels.all
    + PlaceModels.others

  @Test(arguments: all) func isWhatItsReferenceSays(model: LibraryModel) { model.check() }

  @Test func chainsAreWhatTheirPartsAre() {
    expectModel(ofChainsOf: Self.operators, seeds: 0...1_999)
  }
}
