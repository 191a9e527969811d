import Foundation
import SampleGraphs
import SignalGraph
import Testing

@testable import signal_viz

@Suite("What changed between two graphs") struct GraphDifferenceTests {
  /// A source at line 1 that sent so many values, and subscribers at line 2.
  private func graph(_ values: UInt64, subscribers: [UInt64], ended: UInt64 = 0, at moment: Double) -> GraphSnapshot {
    let process = ProcessIdentity(name: "App", pid: 9, startedAt: 0)
    var graph = GraphSnapshot(process: process, takenAt: moment)
    graph.definitions = [
      Definition(id: 1, kind: "emitter", fileID: "App/Feed.swift", line: 1, function: "f()"),
      Definition(
        id: 2, kind: "subscribe", fileID: "App/Feed.swift", line: 2, function: "f()", ends: EndCounts(disposed: ended)),
      Definition(id: 3, kind: "map", fileID: "App/Feed.swift", line: 3, function: "f()"),
    ]
    graph.nodes =
      [Node(id: 1, definition: 1, valueCount: values)] + subscribers.map { Node(id: $0, definition: 2) }
    return graph
  }

  @Test func whatGrewComesFirst() throws {
    let before = graph(10, subscribers: [2, 3], ended: 1, at: 0)
    let now = graph(15, subscribers: [3, 4, 5, 6], ended: 4, at: 2)
    let difference = GraphDifference(from: before, to: now)
    #expect(
      difference.text == """
        BEFORE  NOW  VALUES  ENDED  KIND       PLACE
             2    4       0      3  subscribe  App/Feed.swift:2
             1    1       5      0  emitter    App/Feed.swift:1
        2 places changed in App (pid 9) within 2 s.

        """)
    let form = try JSONSerialization.jsonObject(with: difference.json()) as? [String: Any]
    #expect(form?.keys.sorted() == ["definitions", "program", "seconds", "version"])
    #expect((form?["definitions"] as? [[String: Any]])?.first?["liveNow"] as? Int == 4)
  }

  @Test func wherePlacesHaveNoCountsTheNodesThatEndedAreCounted() {
    let difference = GraphDifference(
      from: graph(1, subscribers: [2, 3], at: 0), to: graph(1, subscribers: [], at: 1))
    #expect(difference.definitions.map(\.ended) == [2])
  }

  @Test func whatCameAndWentIsCounted() {
    var (before, now) = (graph(1, subscribers: [2], at: 0), graph(1, subscribers: [2], at: 1))
    before.definitions[2].gone = GoneNodes(nodes: 5, values: 50)
    before.nodes.append(Node(id: 7, definition: 3, state: .disposed, valueCount: 10))
    now.definitions[2].gone = GoneNodes(nodes: 36, values: 360)
    let difference = GraphDifference(from: before, to: now)
    #expect(difference.definitions.map(\.kind) == ["map"])
    #expect(difference.definitions.map(\.ended) == [30])
    #expect(difference.definitions.map(\.values) == [300])
  }

  @Test func whatStaysIsNotTold() {
    let difference = GraphDifference(from: graph(1, subscribers: [2], at: 0), to: graph(1, subscribers: [2], at: 1))
    #expect(difference.text == "Nothing changed in App (pid 9) within 1 s.\n")
  }
}
