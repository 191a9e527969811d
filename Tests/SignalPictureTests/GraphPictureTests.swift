import SampleGraphs
import SignalGraph
import SignalPicture
import Testing

@Suite struct GraphPictureTests {
  private func chains(_ count: Int, different: Bool = false) -> GraphSnapshot {
    var graph = SampleBuilder(name: "P", pid: 1)
    let source = graph.add("emitter", line: 1, values: 9)
    for number in 0..<count {
      let map = graph.add("map", different ? "n\(number)" : nil, line: 2, values: 2)
      graph.chain([source, map, graph.add("subscribe", line: 3, values: 1)])
    }
    return graph.snapshot
  }

  @Test func equalChainsAreDrawnOnceWithTheirNumber() throws {
    var picture = try GraphPicture(of: chains(1_000))
    picture.bundleEqualChains()
    #expect(picture.boxes.map(\.copies) == [1, 1_000, 1_000])
    #expect(picture.boxes.map { $0.parts[0].valueCount } == [9, 2_000, 1_000])
    #expect(picture.links.map(\.copies) == [1_000, 1_000])
    #expect(try chains(1_000).dot().contains("× 1,000"))
  }

  @Test func chainsThatDifferFurtherDownAreNotEqual() throws {
    var graph = chains(6)
    graph.nodes[2].state = .failed
    var picture = try GraphPicture(of: graph)
    picture.bundleEqualChains()
    #expect(picture.boxes.map(\.copies) == [1, 1, 1, 5, 5])
    var named = try GraphPicture(of: chains(6, different: true))
    named.bundleEqualChains()
    #expect(named.boxes.count == 13)
  }

  @Test func endedNodesAreLeftOutUnlessSomethingWasFoundOnThem() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let source = graph.add("emitter", line: 1)
    let states: [(Node.State, [Node.Finding])] = [
      (.live, []), (.finished, []), (.disposed, []), (.disposed, [.leaked]), (.failed, []),
    ]
    for (line, (state, findings)) in states.enumerated() {
      graph.connect(source, graph.add("map", line: line + 2, state: state, findings: findings))
    }
    let picture = try GraphPicture(of: graph.snapshot, options: DrawingOptions(showsEnded: false))
    #expect(picture.boxes.map(\.id) == [1, 2, 5, 6])
    #expect(picture.links.map(\.target) == [2, 5, 6])
    #expect(picture.nodeCount == 4 && picture.edgeCount == 3)
    #expect(picture.notes == ["2 ended not drawn"])
    #expect(try GraphPicture(of: graph.snapshot, options: DrawingOptions()).boxes.count == 6)
  }

  @Test func fewEqualChainsAreDrawnOneByOne() throws {
    var picture = try GraphPicture(of: chains(2))
    picture.bundleEqualChains()
    #expect(picture.boxes.count == 5 && picture.notes.isEmpty)
  }

  @Test func linearRunsFoldUpToForksHopsAndStates() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let first = graph.add("emitter", line: 1)
    let second = graph.add("map", line: 2)
    let third = graph.add("filter", line: 3)
    let hopped = graph.add("receive", line: 4)
    let end = graph.add("subscribe", line: 5)
    let other = graph.add("subscribe", line: 6, state: .failed)
    graph.chain([first, second, third])
    graph.connect(third, hopped, .hop)
    graph.chain([hopped, end])
    var picture = try GraphPicture(of: graph.snapshot)
    picture.foldLinearRuns()
    #expect(
      picture.boxes.map { $0.parts.map(\.kind) } == [
        ["emitter", "map", "filter"], ["receive", "subscribe"], ["subscribe"],
      ])
    #expect(picture.links.map(\.kind) == [.hop])
    #expect(picture.boxes.last?.id == other)
  }

  @Test func fullyConnectedGroupsDoNotFold() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let sources = (0..<3).map { _ in graph.add("emitter", line: 1) }
    let joins = (0..<3).map { _ in graph.add("combineLatest", line: 2) }
    for source in sources { for join in joins { graph.connect(source, join) } }
    var picture = try GraphPicture(of: graph.snapshot)
    picture.bundleEqualChains()
    #expect(picture.boxes.map(\.copies) == [3, 3] && picture.links.map(\.copies) == [9])
    picture.foldLinearRuns()
    #expect(picture.boxes.map(\.copies) == [3, 3] && picture.links.map(\.copies) == [9])
  }

  @Test func aRingOfNodesIsDrawnAsItIs() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    let ring = (1...4).map { graph.add("map", line: $0) }
    graph.chain(ring + [ring[0]])
    graph.connect(ring[0], ring[0])
    var picture = try GraphPicture(of: graph.snapshot)
    picture.bundleEqualChains()
    picture.foldLinearRuns()
    #expect(picture.links.contains { $0.source == ring[0] && $0.target == ring[0] })
  }

  @Test func collapsingKeepsCountsAndLeaks() throws {
    var graph = chains(4, different: true)
    graph.nodes[4].findings = [.leaked]
    var byDefinition = try GraphPicture(of: graph)
    byDefinition.collapseByDefinition()
    #expect(byDefinition.boxes.map(\.copies) == [1, 4, 3, 1])
    var byFile = try GraphPicture(of: graph)
    byFile.collapseByFile()
    #expect(byFile.boxes.count == 1)
    #expect(byFile.boxes[0].heading == "Feed.swift: 9 nodes")
    #expect(byFile.boxes[0].findings == [.leaked])
  }
}
