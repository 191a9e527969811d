import SampleGraphs
import SignalGraph
import Testing

@testable import SignalPicture

@Suite("Who waits, in pictures") struct BusyConsumerTests {
  /// Two steps of a pipeline; of both it is known for how many seconds nobody has asked for a value, or somebody has.
  private func graph(isAsked: Bool, for seconds: Double) -> GraphSnapshot {
    var graph = SampleBuilder(name: "P", pid: 1)
    let nodes = [graph.add("stream", line: 1), graph.add("filter", line: 2)]
    graph.chain(nodes)
    var snapshot = graph.snapshot
    for index in snapshot.nodes.indices {
      snapshot.nodes[index].demand = Demand(isAsked: isAsked, since: snapshot.takenAt - seconds)
    }
    return snapshot
  }

  @Test func aBusyConsumerIsSaidOnceAtTheLastStep() throws {
    let snapshot = graph(isAsked: false, for: 3)
    let boxes = try GraphPicture(of: snapshot).boxes
    #expect(boxes.map { $0.parts.map(\.isConsumerBusy) } == [[false], [true]])
    #expect(boxes.allSatisfy { $0.parts[0].details.contains("its consumer has been busy for 3 s") })
    #expect(try snapshot.dot().components(of: "consumer busy") == 1)
    #expect(try snapshot.mermaid().components(of: "consumer busy") == 1)
  }

  @Test func whoIsBusyForAMomentIsNot() throws {
    #expect(try !graph(isAsked: false, for: 0.05).dot().contains("consumer busy"))
    #expect(try !graph(isAsked: true, for: 50).dot().contains("consumer busy"))
    #expect(try !graph(isAsked: false, for: .nan).dot().contains("consumer busy"))
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
