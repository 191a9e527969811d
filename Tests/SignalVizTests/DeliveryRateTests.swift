import SampleGraphs
import SignalAttach
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

/// “values/s” is one figure, whichever command prints it.
@Suite struct DeliveryRateTests {
  /// A source with two subscriptions and a branch without one. Of earlier subscriptions one is retained, and three are evicted.
  private func graph(at time: Double, values: UInt64, evicted: UInt64) -> GraphSnapshot {
    var handler = Definition(id: 2, kind: "subscribe", fileID: "App/A.swift", line: 2, function: "f()")
    handler.gone = GoneNodes(nodes: 3, values: evicted)
    return GraphSnapshot(
      process: ProcessIdentity(name: "A", pid: 7, startedAt: 1), takenAt: time,
      definitions: [
        Definition(id: 1, kind: "emitter", fileID: "App/A.swift", line: 1, function: "f()"), handler,
        Definition(id: 3, kind: "map", fileID: "App/A.swift", line: 3, function: "f()"),
      ],
      nodes: [
        Node(id: 1, definition: 1, valueCount: values), Node(id: 2, definition: 2, valueCount: values),
        Node(id: 3, definition: 2, valueCount: values), Node(id: 4, definition: 2, state: .disposed, valueCount: 9),
        Node(id: 5, definition: 3, valueCount: values * 4),
      ],
      edges: [2, 3, 5].map { Edge(source: 1, target: $0, kind: .data) })
  }

  @Test func everyCommandShowsTheSameRate() throws {
    let before = graph(at: 100, values: 10, evicted: 100)
    let now = graph(at: 102, values: 40, evicted: 140)
    // 30 of each subscription, and 40 of those that were evicted, in two seconds.
    let rate = 50.0
    #expect(GraphSummary(of: now, since: GraphSummary.Deliveries(in: before)).rate == rate)
    #expect(ActivityTable(now, since: before, byNode: false, order: .rate).rate == rate)
    let active = now.addingActivity(since: before)
    let live = try LivePicture(of: active, view: PageView(PageQuery("")), last: nil)
    #expect(LiveCounts(of: active, since: before, in: live).rate == rate)
  }

  @Test func oneSnapshotHasNoRate() {
    let now = graph(at: 102, values: 40, evicted: 0)
    #expect(GraphSummary(of: now).rate == nil)
    #expect(GraphSummary(of: now, since: GraphSummary.Deliveries(in: now)).rate == nil)
  }
}
