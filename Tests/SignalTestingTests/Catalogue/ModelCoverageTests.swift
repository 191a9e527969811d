import OperatorCatalogue
import Testing

/// Every row of the catalogue is compared with a reference, or it is said here why not.
@Suite struct ModelCoverageTests {
  private static let withoutModel: [String: String] = {
    let noInput = "It has no input that could be varied: its marbles say all that it sends."
    let task = "It has no input that could be varied: it runs a task, or iterates in one."
    let observed = "Its input is an observable object, which Swift's observation tells about."
    return [
      "async": task,
      "asyncSequence": task,
      "Emitter": "The inputs of every model are emitters.",
      "empty": noInput,
      "fail": noInput,
      "interval": noInput,
      "just": noInput,
      "never": noInput,
      "observing": observed,
      "observingOnMain": observed,
      "Property":
        "It is set by assignments, and has no end or failure of its own: an input inside subscribe stands for it.",
      "result": noInput,
      "sequence": noInput,
      "Signal": "The inputs of every model are made with it.",
      "timer": noInput,
    ]
  }()

  private static let rows = Set(OperatorCatalogue.all.map(\.name))
  private static let modelled = Set(LibraryModelTests.all.flatMap(\.rows))

  @Test(arguments: OperatorCatalogue.all) func everyRowHasAModelOrAReason(entry: OperatorEntry) {
    let (hasModel, reason) = (Self.modelled.contains(entry.name), Self.withoutModel[entry.name])
    #expect(
      hasModel != (reason != nil),
      "Add either a model of \(entry.name) to LibraryModelTests.all, or the reason why there is none to this file.")
  }

  @Test func modelsAndReasonsNameRows() {
    #expect(Self.modelled.subtracting(Self.rows) == [])
    #expect(Set(Self.withoutModel.keys).subtracting(Self.rows) == [])
  }
}
