import SignalFindings
import SignalGraph
import Testing

/// The rule `glitch` beside its definition, told without any thought of how long that takes.
@Suite("glitch, beside its definition") struct GlitchRuleReferenceTests {
  private static let kinds = [
    "emitter", "map", "map", "filter", "combineLatest", "combineLatest", "latestValues", "merge", "debounce", "scan",
    "withLatest(from:)", "zip",
  ]

  /// A graph with joins of ways that part and come together, and now and then a ring.
  private static func graph(_ seed: UInt64, hasCauses: Bool) -> RandomGraph {
    var graph = RandomGraph(seed: seed)
    let count = 6 + graph.number(below: 30)
    for id in 1...count {
      let kind = id == 1 ? "emitter" : id > count - 3 ? "subscribe" : graph.pick(kinds)
      graph.add(id, kind, values: graph.pick([0, 4, 10, 10, 10, 10, 11, 20, 20, 20, 40, 200, 203]))
      guard id > 1, kind != "emitter" else { continue }
      let isJoin = ["combineLatest", "latestValues", "merge", "zip"].contains(kind)
      for _ in 0..<(isJoin ? 2 + graph.number(below: 3) : 1) {
        graph.connect(
          1 + graph.number(below: id - 1), id,
          graph.pick([.data, .data, .data, .data, .data, .sampled, .hop, .trigger]))
      }
    }
    for _ in 0..<graph.number(below: 3) where seed % 4 == 0 {
      graph.connect(1 + graph.number(below: count), 1 + graph.number(below: count))
    }
    guard hasCauses else { return graph }
    for index in 0..<count {
      let numbers = (0..<6).map { _ in UInt64(1 + graph.number(below: 4)) }.sorted()
      graph.now.change { snapshot in
        snapshot.nodes[index].causes = numbers.map { Cause(number: $0, at: 9, thread: "main") }
      }
    }
    return graph
  }

  @Test(arguments: [false, true]) func theSameIsFound(hasCauses: Bool) {
    var count = 0
    for seed in 0..<900 as Range<UInt64> {
      let (now, before) = Self.graph(seed, hasCauses: hasCauses).snapshots
      let observation = Observation(now, since: before)
      let found = Rules.findings(in: observation) { $0 == "glitch" }.map { finding in
        "\(finding.nodes): \(finding.message.prefix { $0 != ":" && $0 != "," })"
          + (finding.message.split(separator: ",").dropFirst().first?.prefix { $0 != ":" }.description ?? "")
      }
      let wanted = Definition(observation).meetings
      #expect(Set(found) == Set(wanted), "seed \(seed)")
      count += wanted.count
    }
    // They are no graphs in which nothing is found.
    #expect(count > 100)
  }

  /// What the rule's documentation says.
  private struct Definition {
    let observation: Observation
    var graph: GraphView { observation.now }
    let steady: Set = [
      "combineLatest", "emitter", "filter", "latestValues", "map", "merge", "scan", "withLatest(from:)",
    ]

    init(_ observation: Observation) { self.observation = observation }

    func kind(_ id: UInt64) -> String { graph.nodes[id].flatMap(graph.definition)?.kind ?? "" }
    func values(_ id: UInt64) -> UInt64 { graph.nodes[id].map(observation.values) ?? 0 }
    func slack(_ count: UInt64) -> UInt64 { 1 + count / 100 }

    var meetings: [String] {
      graph.snapshot.nodes.filter { ["combineLatest", "latestValues"].contains(kind($0.id)) }.compactMap { join in
        join.causes == nil ? counted(join) : exact(join)
      }
    }

    func words(_ join: Node, _ source: UInt64, _ ways: Int, _ rest: String) -> String {
      "[\(join.id)]: `n\(source)` reaches this `\(kind(join.id))` by \(ways) ways \(rest)"
    }

    func inputs(_ join: Node) -> [UInt64] { (graph.inputs[join.id] ?? []).filter { $0.kind == .data }.map(\.source) }

    func counted(_ join: Node) -> String? {
      let given = observation.values(of: join)
      guard given >= 10, let (source, ways) = nearest(inputs(join).map { steadyWay(from: $0) }) else { return nil }
      let caused = values(source)
      guard caused >= 5, given + UInt64(ways) * slack(caused) >= caused * UInt64(ways) else { return nil }
      guard !isSettled(below: join.id, isRight: { values($0) <= caused + slack(caused) }) else { return nil }
      return words(join, source, ways, "so its \(caused) values gave \(given)")
    }

    func exact(_ join: Node) -> String? {
      let numbers = (join.causes ?? []).map(\.number)
      let inputs = inputs(join)
      let repeated = Set(numbers).filter { number in
        numbers.count { $0 == number } >= 2
          && inputs.count { graph.nodes[$0]?.causes?.contains { $0.number == number } == true } >= 2
      }
      guard repeated.count >= 2, repeated.count * 2 >= Set(numbers).count else { return nil }
      let isRight = { (id: UInt64) in
        let all = (graph.nodes[id]?.causes ?? []).map(\.number)
        return Set(all).count == all.count
      }
      guard !isSettled(below: join.id, isRight: isRight),
        let (source, ways) = nearest(inputs.map { distances(from: $0) })
      else { return nil }
      let most = repeated.map { number in numbers.count { $0 == number } }.max() ?? 0
      return words(join, source, ways, "so each of its last \(repeated.count) values gave \(most) here")
    }

    /// Of those that are on most ways the nearest; of these the first.
    func nearest(_ ways: [[UInt64: Int]]) -> (UInt64, Int)? {
      var best: (id: UInt64, ways: Int, distance: Int)?
      for id in Set(ways.flatMap(\.keys)).sorted() {
        let distances = ways.compactMap { $0[id] }
        let distance = distances.reduce(0, +)
        guard distances.count >= 2, best.map({ ($0.ways, distance) < (distances.count, $0.distance) }) ?? true else {
          continue
        }
        best = (id, distances.count, distance)
      }
      return best.map { ($0.id, $0.ways) }
    }

    func steadyWay(from first: UInt64) -> [UInt64: Int] {
      guard values(first) >= 5 else { return [:] }
      var way = [first: 0]
      var current = first
      while steady.contains(kind(current)) {
        let inputs = (graph.inputs[current] ?? []).filter { $0.kind != .sampled && values($0.source) > 0 }
        guard Set(inputs.map(\.source)).count == 1, let next = inputs.first?.source, way[next] == nil,
          inputs.contains(where: { $0.kind == .data }),
          max(values(next), values(first)) - min(values(next), values(first)) <= slack(values(first))
        else { break }
        way[next] = way.count
        current = next
      }
      return way
    }

    func distances(from first: UInt64) -> [UInt64: Int] {
      var distances = [first: 0]
      var level = [first]
      while !level.isEmpty {
        var above: [UInt64] = []
        for id in level where steady.contains(kind(id)) {
          for edge in graph.inputs[id] ?? [] where edge.kind == .data && distances[edge.source] == nil {
            distances[edge.source] = (distances[id] ?? 0) + 1
            above.append(edge.source)
          }
        }
        level = above
      }
      return distances
    }

    func isSettled(below first: UInt64, isRight: (UInt64) -> Bool) -> Bool {
      var waiting = [first]
      var seen: Set<UInt64> = [first]
      while let id = waiting.popLast() {
        let outputs = (graph.outputs[id] ?? []).map(\.target)
        guard !outputs.isEmpty else { return false }
        for next in outputs where seen.insert(next).inserted {
          if kind(next) == "debounce" { continue }
          guard steady.contains(kind(next)) else { return false }
          if !isRight(next) { waiting.append(next) }
        }
      }
      return true
    }
  }
}
