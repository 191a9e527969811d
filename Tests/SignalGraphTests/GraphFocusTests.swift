import SampleGraphs
import SignalGraph
import Testing

@Suite struct GraphFocusTests {
  private let graph = SampleGraphs.searchBox

  private func kinds(_ snapshot: GraphSnapshot) -> [String] {
    let places = Dictionary(uniqueKeysWithValues: snapshot.definitions.map { ($0.id, $0) })
    return snapshot.nodes.compactMap { places[$0.definition]?.kind }
  }

  @Test(arguments: ["#13", "13", "result list", "Result List", "Results.swift:30", "SearchBox/Results.swift:30"])
  func aNodeIsFoundByIdNameAndPlace(_ text: String) throws {
    #expect(try graph.focused(on: GraphFocus(text, depth: 0)).nodes.map(\.id) == [13])
  }

  @Test func depthCountsEdgesBothWays() throws {
    #expect(
      try kinds(graph.focused(on: GraphFocus("combineLatest", depth: 1))) == [
        "removeDuplicates", "property", "combineLatest", "flatMapLatest",
      ])
  }

  @Test func withoutDepthTheWholeChainIsKeptButNoSiblings() throws {
    let part = try graph.focused(on: GraphFocus("status line"))
    #expect(kinds(part) == ["interval", "subscribe"])
    #expect(part.edges.count == 1)
    #expect(part.definitions.count == 2)
    try part.validate()
  }

  @Test func aKindFindsAllOfItsNodes() throws {
    #expect(try graph.focused(on: GraphFocus("fromTask", depth: 0)).nodes.count == 2)
    #expect(try graph.focused(on: GraphFocus("Results.swift", depth: 0)).nodes.count == 7)
  }

  @Test func severalFocusesAreShownTogether() throws {
    let part = try graph.focused(on: GraphFocus(["status line", "#13"], depth: 1))
    #expect(part.nodes.map(\.id) == [12, 13, 14, 15])
    #expect(part.edges.count == 2)
    #expect(throws: GraphFocusError.self) { try graph.focused(on: GraphFocus(["status line", "nothing"])) }
  }

  @Test func withoutAFocusTheWholeGraphIsKept() throws {
    #expect(try graph.focused(on: GraphFocus()) == graph)
  }

  @Test func wordsAreANameThenAKindThenAPartOfAName() {
    #expect(graph.nodes(matching: .words("KEYSTROKES")) == [1])
    #expect(graph.nodes(matching: .words("interval")) == [14])
    #expect(graph.nodes(matching: .words("s")).isSuperset(of: [1, 4, 13]))
    var renamed = graph
    renamed.nodes[0].name = "interval"
    #expect(renamed.nodes(matching: .words("interval")) == [1])
  }

  @Test(arguments: ["nothing", "#999", "Other.swift:1", "Results.swift:9999", "", ":3"])
  func nothingFoundNamesWhatThereIs(_ text: String) throws {
    let error = #expect(throws: GraphFocusError.self) { try graph.focused(on: GraphFocus(text)) }
    #expect("\(try #require(error))".contains("`combineLatest`"))
  }
}
