import SampleGraphs
import SignalGraph
import Testing

@Suite("A focus across channels")
struct ChannelFocusTests {
  /// A chain of maps with an end of a channel at its first and its last one.
  private static func program(_ name: String, from: String?, to: String?) -> GraphSnapshot {
    var graph = SampleBuilder(name: name, pid: 1)
    let ids = (1...3).map { graph.add("map", "\(name)\($0)", line: $0) }
    graph.connect(ids[0], ids[1])
    graph.connect(ids[1], ids[2])
    graph.add("map", "\(name)-alone", line: 4)
    var snapshot = graph.snapshot
    if let from { snapshot.nodes[0].channels = [ChannelEnd(.from, from)] }
    if let to { snapshot.nodes[2].channels = [ChannelEnd(.to, to)] }
    return snapshot
  }

  private static let programs = [
    program("a", from: nil, to: "x"), program("b", from: "x", to: "y"), program("c", from: "y", to: "x"),
    program("d", from: "z", to: nil),
  ]

  private static func names(_ focus: GraphFocus) throws -> [String] {
    try focus.parts(of: programs).flatMap { $0.nodes.compactMap(\.name) }
  }

  @Test("what feeds and is fed is found in the other programs, around rings too")
  func whole() throws {
    #expect(try Self.names(GraphFocus("a1")) == ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"])
    #expect(try Self.names(GraphFocus("d2")) == ["d1", "d2", "d3"])
    #expect(try Self.names(GraphFocus("a-alone")) == ["a-alone"])
    #expect(try Self.names(GraphFocus()).count == 16)
  }

  @Test("a channel counts as one edge")
  func depth() throws {
    #expect(try Self.names(GraphFocus("a3", depth: 1)) == ["a2", "a3", "b1"])
    #expect(try Self.names(GraphFocus("b1", depth: 1)) == ["a3", "b1", "b2", "c3"])
    #expect(try Self.names(GraphFocus(["a1", "d1"], depth: 0)) == ["a1", "d1"])
  }

  @Test("what no program has is an error that names what there is")
  func unknown() {
    let error = #expect(throws: GraphFocusError.self) { try Self.names(GraphFocus("nobody")) }
    #expect(error?.text == "nobody" && error?.candidates.contains("`b1`") == true)
  }
}
