import SignalFindings
import SignalGraph
import Testing

/// The rule `feedback-loop` beside its definition, told without any thought of how long that takes.
@Suite("feedback-loop, beside its definition") struct FeedbackLoopReferenceTests {
  /// Sources with chains below them, whose handlers send to sources.
  private static func graph(_ seed: UInt64) -> RandomGraph {
    var graph = RandomGraph(seed: seed)
    let count = 2 + graph.number(below: 6)
    let handlers = 2 + graph.number(below: 10)
    for id in 1...count { graph.add(id, "emitter", values: graph.pick([10, 400, 1_000, 1_000, 1_000])) }
    for id in (count + 1)...(count + 3) {
      graph.add(id, graph.pick(["map", "merge", "delay"]), values: 400)
      graph.connect(1 + graph.number(below: id - 1), id)
      graph.connect(1 + graph.number(below: id - 1), id)
    }
    for id in (count + 4)...(count + 3 + handlers) {
      graph.add(id, "subscribe", values: 400)
      graph.connect(1 + graph.number(below: count + 3), id)
      for _ in 0..<graph.number(below: 3) {
        graph.connect(id, 1 + graph.number(below: count), .feedback, count: graph.pick([0, 100, 400, 1_000]))
      }
    }
    graph.now.change { snapshot in
      let delays = Set(snapshot.definitions.filter { $0.kind == "delay" }.map(\.id))
      for index in snapshot.nodes.indices where delays.contains(snapshot.nodes[index].definition) {
        snapshot.nodes[index].interval = seed % 2 == 0 ? 0.5 : 0.001
      }
    }
    return graph
  }

  @Test func theSameLoopsAreFound() {
    var count = 0
    for seed in 0..<800 as Range<UInt64> {
      let (now, before) = Self.graph(seed).snapshots
      let observation = Observation(now, since: before)
      let found = Rules.findings(in: observation) { $0 == "feedback-loop" }.map { "\($0.place.line): \($0.nodes)" }
      let wanted = Self.loops(in: observation).map { "\($0[0].source): \($0.map(\.source))" }
      #expect(Set(found) == Set(wanted), "seed \(seed)")
      count += wanted.count
    }
    #expect(count > 200)
  }

  @Test func loopsOfOnePlaceAreToldOnce() throws {
    var graph = RandomGraph(seed: 1)
    for number in 0..<50 {
      graph.add(2 * number + 1, "emitter", values: 1_000)
      graph.add(2 * number + 2, "subscribe", values: 1_000)
      graph.connect(2 * number + 1, 2 * number + 2)
      graph.connect(2 * number + 2, 2 * number + 1, .feedback, count: 1_000)
    }
    for path in [\RandomGraph.now, \.before] {
      graph[keyPath: path].change { snapshot in
        for index in snapshot.nodes.indices { snapshot.nodes[index].definition = 1 + index % 2 }
      }
    }
    let (now, before) = graph.snapshots
    let found = Rules.findings(in: Observation(now, since: before)) { $0 == "feedback-loop" }
    #expect(found.count == 1)
    #expect(found.first?.nodes == (1...50).map { 2 * $0 })
  }

  // MARK: The definition

  private static func loops(in observation: Observation) -> [[Edge]] {
    let graph = observation.now
    func isPaced(_ id: UInt64) -> Bool {
      graph.nodes[id].map { $0.interval ?? 0 >= 0.01 && graph.definition(of: $0)?.kind == "delay" } ?? false
    }
    let feedback = graph.snapshot.edges.filter { $0.kind == .feedback }
    func values(_ edge: Edge) -> Double { Double(graph.nodes[edge.target].map(observation.values) ?? 0) }
    var hot = feedback.filter { values($0) >= 200 && $0.count ?? 0 > 0 }
    func handlers(below source: UInt64) -> [UInt64] {
      var (found, waiting, seen): ([UInt64], [UInt64], Set<UInt64>) = ([], [source], [source])
      while let node = waiting.popLast() {
        let edges = graph.outputs[node] ?? []
        if edges.isEmpty { found.append(node) }
        for edge in edges where edge.kind != .sampled && !isPaced(edge.target) && seen.insert(edge.target).inserted {
          waiting.append(edge.target)
        }
      }
      return found
    }
    func isInRing(_ edge: Edge) -> Bool {
      var (waiting, seen): ([UInt64], Set<UInt64>) = ([edge.target], [edge.target])
      while let source = waiting.popLast() {
        for handler in handlers(below: source) {
          if handler == edge.source { return true }
          for next in hot where next.source == handler && seen.insert(next.target).inserted {
            waiting.append(next.target)
          }
        }
      }
      return false
    }
    while true {
      let inRings = hot.filter(isInRing)
      let driven = inRings.filter { edge in
        let sent = inRings.filter { $0.target == edge.target }.reduce(0) { $0 + Double($1.count ?? 0) }
        return sent >= 0.9 * values(edge)
      }
      if driven.count == hot.count { break }
      hot = driven
    }
    var reported: Set<UInt64> = []
    return hot.compactMap { first -> [Edge]? in
      guard !reported.contains(first.target) else { return nil }
      var ways = [[first]]
      var seen: Set<UInt64> = [first.target]
      while !ways.isEmpty {
        let way = ways.removeFirst()
        for handler in handlers(below: way[way.count - 1].target) {
          if handler == first.source {
            reported.formUnion(way.map(\.target))
            return way
          }
          for next in hot where next.source == handler && seen.insert(next.target).inserted {
            ways.append(way + [next])
          }
        }
      }
      return nil
    }
  }
}
