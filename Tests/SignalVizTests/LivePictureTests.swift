import SampleGraphs
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

/// What the live page draws: keys that stay, boxes that open, places that do not move.
@Suite struct LivePictureTests {
  private func view(_ query: String = "") -> PageView { PageView(PageQuery(query[...])) }

  private func picture(_ graph: GraphSnapshot, _ query: String = "") throws -> LivePicture {
    try LivePicture(of: graph, view: view(query), last: nil)
  }

  /// A source that feeds so many chains of two.
  private func rooms(_ count: Int, from first: Int = 0, named: Bool = false) -> GraphSnapshot {
    var builder = SampleBuilder(name: "Rooms", pid: 8)
    let source = builder.add("emitter", "messages", line: 1)
    for room in 0..<first + count {
      let map = builder.add("map", named ? "room \(room)" : nil, line: 2, values: 5)
      let end = builder.add("subscribe", line: 3, values: 5)
      if room >= first { builder.chain([source, map, end]) }
    }
    // Ids of those that are gone are not used again.
    let gone = Set(builder.snapshot.nodes.map(\.id).dropFirst().prefix(2 * first))
    return builder.snapshot.part(of: Set(builder.snapshot.nodes.map(\.id)).subtracting(gone))
  }

  /// Files of the same name in two modules are opened one after the other, each by its own key.
  @Test func groupsOfTheSameNameHaveKeysOfTheirOwn() throws {
    var builder = SampleBuilder(name: "Models", pid: 8)
    for (file, first) in [("App/Model.swift", 1), ("Shop/Model.swift", 100)] {
      for line in 0..<12 { builder.add("emitter", file: file, line: first + line, function: "f\(line)()") }
    }
    func groups(_ query: String) throws -> Set<String> {
      Set(try picture(builder.snapshot, query).keys.filter { $0.hasPrefix("h") })
    }
    let keys = try groups("limit=6")
    #expect(keys == ["hApp/Model.swift", "hShop/Model.swift"])
    #expect(try groups("limit=6&open=hApp%2FModel.swift") == ["hShop/Model.swift"])
    #expect(try groups("limit=6&open=hShop%2FModel.swift") == ["hApp/Model.swift"])
  }

  /// A layout with each box below the one before.
  private func layout(_ picture: LivePicture) throws -> PlacedPicture {
    let dot = picture.picture.places(.down, numbers: picture.numbers, size: BoxSize.of)
    var plain = "graph 1 10 10\n"
    for number in picture.numbers { plain += "node n\(number) 1 \(number) 2 1 \"\" solid box black lightgrey\n" }
    for line in dot.split(separator: "\n") where line.contains("->") {
      let words = line.split(whereSeparator: { " [\"".contains($0) })
      let colour = words.first { $0.hasPrefix("#") } ?? "#000000"
      plain += "edge \(words[0]) \(words[2]) 4 0 0 0 1 0 2 0 3 solid \(colour)\n"
    }
    return PlacedPicture(picture: picture, layout: try LiveLayout(plain: plain + "stop\n"))
  }

  @Test func keysOfBundlesStayWhileChainsComeAndGo() throws {
    let before = try picture(rooms(20))
    let after = try picture(rooms(21, from: 7))
    #expect(Set(before.keys) == Set(after.keys) && before.keys.count < 5)
    #expect(before.members.joined().count == 41)
    #expect(after.members.joined().count == 43)
  }

  @Test func everyNodeHasAPlace() throws {
    for shape in SampleGraphs.Shape.allCases {
      let graph = SampleGraphs.large(shape, count: 2_000)
      for query in ["", "all=1", "ended=1"] {
        let picture = try picture(graph, query)
        #expect(picture.places.count == graph.nodes.count, "\(shape) \(query)")
        #expect(picture.keys.count == Set(picture.keys).count)
        #expect(picture.members.joined().count == graph.nodes.count)
        #expect(query == "all=1" ? picture.keys.count == 2_000 : picture.keys.count <= 80, "\(shape) \(query)")
      }
    }
  }

  @Test func aBundleOpensAsWholeChains() throws {
    let graph = rooms(30)
    let bundles = try picture(graph)
    let key = try #require(zip(bundles.keys, bundles.members).first { $0.1.count >= 30 }?.0)
    let open = try picture(graph, "open=\(key)")
    #expect(open.picture.nodeCount == 61 && open.keys.count == 31 || open.keys.count == 61)
    #expect(open.picture.links.count >= 30)
    #expect(open.places.count == 61)
    // What is not there, or no bundle, opens nothing.
    #expect(try picture(graph, "open=d999&open=n1&open=x").keys == bundles.keys)
  }

  @Test func aHugeBundleOpensInPart() throws {
    let graph = rooms(5_000, named: true)
    let bundles = try picture(graph)
    let key = try #require(zip(bundles.keys, bundles.members).first { $0.1.count >= 5_000 }?.0)
    let open = try picture(graph, "open=\(key)")
    #expect((200...210).contains(open.keys.count), "\(open.keys.count)")
    #expect(open.places.count == graph.nodes.count)
  }

  @Test func onlyWhatBelongsToANodeIsDrawn() throws {
    let graph = SampleGraphs.large(.many, count: 660)
    let part = try picture(graph, "focus=%231")
    #expect(part.places.count == 33)
    #expect(try picture(graph, "focus=nothing").keys.isEmpty)
  }

  @Test func countsOfARunAreThoseThatLeaveIt() throws {
    var builder = SampleBuilder(name: "Run", pid: 9)
    let ids = (0..<100).flatMap { chain in
      [
        builder.add("emitter", "source \(chain)", line: 1, values: 9), builder.add("filter", line: 2, values: 4),
        builder.add("subscribe", line: 3, values: 2, waiting: 3),
      ]
    }
    for start in stride(from: 0, to: ids.count, by: 3) { builder.chain(Array(ids[start..<start + 3])) }
    let live = try picture(builder.snapshot)
    let counts = LiveCounts(of: builder.snapshot, since: nil, in: live)
    #expect(live.keys.count == 1)
    #expect(counts.boxes == [[200, 0, 300, 0, 0, 900, 400, 200]])
    #expect(counts.nodes.live == 300)
  }

  /// Two operators at one line are one definition.
  @Test func countsOfEqualOperatorsAreToldApart() throws {
    var builder = SampleBuilder(name: "Run", pid: 9)
    for chain in 0..<100 {
      builder.chain([
        builder.add("emitter", "source \(chain)", line: 1, values: 9), builder.add("map", line: 2, values: 8),
        builder.add("map", line: 2, values: 4), builder.add("filter", line: 3, values: 3),
        builder.add("map", line: 2, values: 2),
      ])
    }
    let counts = LiveCounts(of: builder.snapshot, since: nil, in: try picture(builder.snapshot))
    #expect(counts.boxes == [[200, 0, 0, 0, 0, 900, 800, 400, 300, 200]])
  }

  @Test func aBusyConsumerIsToldOnce() throws {
    var builder = SampleBuilder(name: "Busy", pid: 9)
    let ids = [
      builder.add("map", line: 1), builder.add("filter", "other", line: 2), builder.add("map", "diary", line: 3),
    ]
    builder.chain(ids)
    var graph = builder.snapshot
    for index in graph.nodes.indices {
      // The first two are busy with what the last one is busy with; of a moment nothing is said.
      graph.nodes[index].demand = Demand(isAsked: false, since: graph.takenAt - 3)
    }
    #expect(graph.nodesWithBusyConsumers == [ids[2]])
    let live = try picture(graph)
    #expect(LiveCounts(of: graph, since: nil, in: live).boxes.map { $0[4] }.reduce(0, +) == 1)
    graph.nodes[2].demand = Demand(isAsked: false, since: graph.takenAt - 0.05)
    #expect(graph.nodesWithBusyConsumers == [])
    graph.nodes[2].demand = Demand(isAsked: true, since: graph.takenAt - 3)
    #expect(graph.nodesWithBusyConsumers == [ids[1]])
  }

  @Test func nothingMovesWhenAChainGoesOrComesAgain() throws {
    let graph = rooms(2)
    let placed = try layout(try picture(graph))
    #expect(placed.layout.boxes.count == 5 && placed.layout.lines.count == 4)
    // One chain goes.
    let less = try picture(rooms(1, from: 1))
    let places = try #require(placed.places(for: less))
    #expect(Set(places.map { placed.picture.keys[$0] }).isSuperset(of: ["n1"]))
    #expect(placed.lines(for: less, at: places).count == 2)
    // Another one comes where it was.
    let other = try picture(rooms(2, from: 1))
    let again = try #require(placed.places(for: other))
    #expect(Set(again).count == 5)
    #expect(placed.lines(for: other, at: again).count == 4)
  }

  @Test func whatDoesNotFitIsLaidOutAnew() throws {
    let placed = try layout(try picture(rooms(2)))
    // Another box, a link that was not there, or many holes.
    #expect(placed.places(for: try picture(SampleGraphs.searchBox)) == nil)
    var linked = rooms(2)
    linked.edges.append(Edge(source: linked.nodes[1].id, target: linked.nodes[4].id))
    #expect(placed.places(for: try picture(linked)) == nil)
    var alone = rooms(2)
    alone = alone.part(of: [alone.nodes[0].id])
    #expect(placed.places(for: try picture(alone)) == nil)
  }

  @Test(arguments: [
    "node n1", "node x 1 1 1 1", "node n1 a 1 1 1", "edge n1 n2 4 0 0", "edge n1 n2 1 0 0 solid #000001",
    "graph 1 nan 2",
    "edge n1 n2 4 0 0 0 1 0 2 0 3 solid red", "edge", "node", "graph",
  ])
  func layoutsThatAreNoneAreRefused(line: String) {
    #expect(throws: (any Error).self) { try LiveLayout(plain: line) }
  }
}
