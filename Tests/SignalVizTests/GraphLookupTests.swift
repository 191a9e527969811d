import SampleGraphs
import SignalFindings
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

/// What the live page is told of single nodes.
@Suite struct GraphLookupTests {
  private func lookup(_ graph: GraphSnapshot, before: GraphSnapshot? = nil) throws -> GraphLookup {
    GraphLookup(
      graph: graph, before: before, picture: try LivePicture(of: graph, view: PageView(PageQuery("")), last: nil))
  }

  private func chain() -> GraphSnapshot {
    var builder = SampleBuilder(name: "Chain", pid: 9)
    let source = builder.add("emitter", "ticks", line: 1, values: 5)
    let hop = builder.add("receive(on:)", "hop", line: 2, values: 5)
    builder.connect(source, hop)
    builder.connect(hop, builder.add("subscribe", line: 3, values: 5))
    return builder.snapshot
  }

  @Test func queuesAreCalledAsInPictures() throws {
    var graph = chain()
    graph.nodes[1].scheduler = "qos.userInitiated"
    let lookup = try lookup(graph)
    #expect(lookup.details(of: graph.nodes[1].id)?.scheduler == "user-initiated queue")
    // Both by what it is called and by its own name.
    for words in ["user-initiated", "qos.userini"] {
      #expect(lookup.hits(for: words).hits.map(\.id) == ["\(graph.nodes[1].id)"], "\(words)")
    }
  }

  private func finding(_ rule: String, _ nodes: [UInt64]) -> SignalFindings.Finding {
    SignalFindings.Finding(
      rule: rule, severity: .warning, place: Place(fileID: "Chain/Chain.swift", line: 2), message: "", remedy: "",
      nodes: nodes)
  }

  @Test func aSearchFindsByFinding() throws {
    let graph = chain()
    var lookup = try lookup(graph)
    lookup.findings = [finding("backlog", [graph.nodes[1].id]), finding("growth", graph.nodes.map(\.id))]
    #expect(lookup.hits(for: "backlog").hits.map(\.id) == ["\(graph.nodes[1].id)"])
    #expect(lookup.hits(for: "growth").total == 3)
    #expect(lookup.hits(for: "finding").total == 3)
    #expect(lookup.hits(for: "leak").total == 0)
  }

  @Test func aFilterShowsWhatTheSearchFindsAndNothingElse() throws {
    let graph = chain()
    let view = PageView(PageQuery("filter=growth+hop"))
    let picture = try LivePicture(
      of: graph, view: view, findings: [finding("growth", graph.nodes.map(\.id))], last: nil)
    #expect(picture.members == [[graph.nodes[1].id]])
    #expect(picture.picture.links == [])
    // By the file, everything.
    #expect(
      try LivePicture(of: graph, view: PageView(PageQuery("filter=line:")), last: nil).members.isEmpty)
  }

  @Test func whatIsShownCanBeSaved() throws {
    let graph = chain()
    let export = try PageExport("/graph.json", of: graph, view: PageView(PageQuery("")))
    #expect(export.name == "Chain.json")
    #expect(try GraphSnapshot(json: export.body).nodes.map(\.id) == graph.nodes.map(\.id))
  }

  @Test func totalCountsHitsThatAreNotListed() throws {
    var builder = SampleBuilder(name: "Many", pid: 9)
    let source = builder.add("emitter", "ticks", line: 1)
    for line in 2...71 { builder.connect(source, builder.add("subscribe", line: line)) }
    let found = try lookup(builder.snapshot).hits(for: "subscribe")
    #expect(found.total == 70)
    #expect(found.hits.count == 60)
  }

  @Test func waitsAndHandlersAreToldAsTheyWereMeasured() throws {
    var graph = chain()
    graph.nodes[1].waits = WaitTimes(values: 4, seconds: 0.2, longest: 0.1)
    graph.nodes[2].handler = HandlerTimes(calls: 10, seconds: 0.5, longest: 0.25)
    let details = try graph.nodes.map { try #require(try lookup(graph).details(of: $0.id)) }
    #expect(details[0].waits == nil && details[0].handler == nil)
    #expect(details[1].waits.map { [$0.values, $0.mean, $0.longest] } == [4, 0.05, 0.1])
    #expect(details[2].handler.map { [$0.calls, $0.mean, $0.longest, $0.total] } == [10, 0.05, 0.25, 0.5])
    // One that still waits, and none that has come through.
    graph.nodes[1].waits = WaitTimes(values: 0, seconds: 0, longest: 3)
    let waiting = try lookup(graph).details(of: graph.nodes[1].id)?.waits
    #expect(waiting.map { [$0.values, $0.mean, $0.longest] } == [0, 0, 3])
  }

  @Test func aNodeOfALargeGraphIsExplainedAsByAllOfIt() throws {
    var graph = SampleGraphs.large(.many, count: 3_300)
    var before = graph
    before.takenAt -= 2
    for index in graph.nodes.indices where index % 3 == 0 { graph.nodes[index].valueCount += 7 }
    // A handler elsewhere has sent what came.
    let sender = graph.nodes[3_000].id
    let source = try #require(graph.nodes.first { node in !graph.edges.contains { $0.target == node.id } })
    let target = try #require(graph.edges.first { $0.source == source.id }).target
    let index = try #require(graph.nodes.firstIndex { $0.id == target })
    graph.nodes[3_000].causes = [Cause(number: 1, at: graph.takenAt - 1, thread: "main", origin: .task)]
    let sent = Cause(number: 2, at: graph.takenAt - 0.5, thread: "main", origin: .handler, by: sender, parent: 1)
    let first = try #require(graph.nodes.firstIndex { $0.id == source.id })
    graph.nodes[first].causes = [sent]
    graph.nodes[index].causes = [Cause(number: 2, at: graph.takenAt - 0.4, thread: "main")]
    let lookup = try lookup(graph, before: before)
    let observation = Observation(graph, since: before)
    for node in [graph.nodes[index]] + stride(from: 0, to: graph.nodes.count, by: 97).map({ graph.nodes[$0] }) {
      let details = try #require(lookup.details(of: node.id))
      let whole = Explanation(of: node, in: observation)
      #expect(details.reason == whole.reason.displayable(limit: 1_000))
      #expect(details.path.map(\.id) == whole.steps.prefix(100).map { "\($0.node)" })
      #expect(details.trail.map(\.id) == (whole.trails.first?.hops ?? []).map { "\($0.node)" })
      #expect(details.hasFired == whole.hasFired)
    }
    #expect(lookup.details(of: target)?.trail.first?.id == "\(sender)")
  }
}
