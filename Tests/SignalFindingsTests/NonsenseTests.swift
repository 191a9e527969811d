import SignalFindings
import SignalGraph
import Testing

/// Snapshots come from files, which may hold any number.
@Suite struct NonsenseTests {
  private func graph(at moment: Double, _ count: UInt64) -> GraphSnapshot {
    var graph = SampleGraph(takenAt: moment)
    let ends = EndCounts(
      finished: count, failed: count, disposed: count, unused: count, late: count, unhandled: count, lost: count,
      losing: count, losingAll: count)
    let kinds = [
      "emitter", "map", "combineLatest", "debounce", "retry", "timeout", "zip", "mapAsync", "interval", "sample(by:)",
      "receive(on:)", "multicast", "flatMap", "subscribe",
    ]
    for (index, kind) in kinds.enumerated() {
      let id = UInt64(index + 1)
      graph.define(kind, line: index + 1, ends: ends)
      let above = id > 1 ? [id - 1, 1, 2].filter { $0 < id } : []
      graph.add(id, line: index + 1, values: count, from: above, findings: [.leaked], waiting: count)
    }
    var snapshot = graph.snapshot
    for index in snapshot.nodes.indices {
      snapshot.nodes[index].handler = HandlerTimes(
        calls: count, seconds: Double(count), mainSeconds: moment, longest: .greatestFiniteMagnitude)
      snapshot.nodes[index].since = -moment
    }
    snapshot.edges.append(Edge(source: 14, target: 1, kind: .feedback, count: count))
    return snapshot
  }

  @Test(arguments: [
    (0, .leastNormalMagnitude), (-1e300, 1e300), (0, 1e18), (-.greatestFiniteMagnitude, .greatestFiniteMagnitude),
    (1, 1.000_001),
  ])
  func isComputedWith(earlier: Double, later: Double) {
    for (before, after) in [(UInt64(0), UInt64.max), (.max, .max), (.max, 0), (1, .max - 1)] {
      let observation = Observation(graph(at: later, after), since: graph(at: earlier, before))
      let found = Rules.findings(in: observation)
      #expect(found.contains { $0.rule == "leak" })
      for node in observation.now.snapshot.nodes {
        #expect(!Explanation(of: node, in: observation).steps.isEmpty)
      }
    }
  }

  /// Ways double at each step.
  @Test func manyWaysAreFollowedOnce() {
    func graph(at moment: Double, _ count: UInt64, endingIn last: String) -> GraphSnapshot {
      var graph = SampleGraph(takenAt: moment)
      for (line, kind) in ["property", "map", "map", "combineLatest", last].enumerated() {
        graph.define(kind, line: line + 1)
      }
      graph.add(1, line: 1, values: count)
      graph.add(2, line: 2, values: count, from: [1])
      graph.add(3, line: 3, values: count, from: [1])
      graph.add(4, line: 4, values: count * 2, from: [2, 3])
      for id: UInt64 in 5..<95 { graph.add(id, line: 2, values: count * 2, from: [id - 1, id - 1]) }
      graph.add(95, line: 5, values: count * 2, from: [94])
      return graph.snapshot
    }
    func rules(endingIn last: String) -> [String] {
      let (before, now) = (graph(at: 0, 0, endingIn: last), graph(at: 2, 100, endingIn: last))
      return Rules.findings(in: Observation(now, since: before)).map(\.rule)
    }
    #expect(rules(endingIn: "subscribe") == ["glitch"])
    // Only when each way has been followed to its end is it known that all of them lead there.
    #expect(rules(endingIn: "debounce") == [])
  }

  /// Each is nested in the one before: whoever walked up from each of them would take half an hour.
  @Test func aDeepChainIsWalkedFromSomeOfItsNodes() {
    func graph(at moment: Double, depth: UInt64) -> GraphSnapshot {
      var graph = SampleGraph(takenAt: moment)
      graph.define("subscribe", line: 1)
      graph.define("flatMap", line: 2)
      graph.add(1, line: 1, from: [2])
      for id in 2...depth { graph.add(id, line: 2, from: id < depth ? [id + 1] : [], kind: .inner) }
      return graph.snapshot
    }
    let observation = Observation(graph(at: 10, depth: 30_000), since: graph(at: 0, depth: 20))
    #expect(Rules.findings(in: observation).allSatisfy { $0.rule == "growth" })
  }
}
