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
    #expect(try graph.focused(on: text, depth: 0).nodes.map(\.id) == [13])
  }

  @Test func depthCountsEdgesBothWays() throws {
    #expect(
      try kinds(graph.focused(on: "combineLatest", depth: 1)) == [
        "removeDuplicates", "property", "combineLatest", "flatMapLatest",
      ])
  }

  @Test func withoutDepthTheWholeChainIsKeptButNoSiblings() throws {
    let part = try graph.focused(on: "status line")
    #expect(kinds(part) == ["interval", "subscribe"])
    #expect(part.edges.count == 1)
    #expect(part.definitions.count == 2)
    try part.validate()
  }

  @Test func aKindFindsAllOfItsNodes() throws {
    #expect(try graph.focused(on: "fromTask", depth: 0).nodes.count == 2)
    #expect(try graph.focused(on: "Results.swift", depth: 0).nodes.count == 7)
  }

  @Test(arguments: ["nothing", "#999", "Other.swift:1", "Results.swift:9999", "", ":3"])
  func nothingFoundNamesWhatThereIs(_ text: String) throws {
    let error = #expect(throws: GraphFocusError.self) { try graph.focused(on: text) }
    #expect("\(try #require(error))".contains("`combineLatest`"))
  }
}
