import SignalGraph

/// Work that is done once for each of several subscribers although all of them want the same: `share` is missing.
///
/// It takes two snapshots. Looked at are sources that do something of their own (`Signal { }`, `interval`, `asyncSequence`, `async`), and `mapAsync`. At
/// least 3 live instances of one definition have to lead to subscribers in different ways, none of them through an inner signal of `flatMap` and
/// its kin. Sources have to have given the same number of values while they were watched, at least 3; instances of `mapAsync` have to get their
/// values from one source, by the same operators. What is written in a function with parameters does not count: it may be called for different things.
struct RepeatedSourceRule: Rule {
  static let name = "repeated-source"
  static let summary = "work that is done again for each subscriber, where `share` would do it once"

  /// How many instances there have to be.
  var least = 3
  /// How many values each source has to have given.
  var leastValues: UInt64 = 3

  static let sources: Set = ["async", "asyncSequence", "custom", "interval"]
  static let operators: Set = ["mapAsync"]

  /// What has to be the same for instances to do the same work.
  private struct Work: Hashable {
    let definition: Int
    /// Of an operator: the definitions above it, and the source.
    var above: [UInt64] = []
    /// Of a source: how many values it gave.
    var values: UInt64 = 0
  }

  func findings(in observation: Observation) -> [Finding] {
    guard observation.before != nil else { return [] }
    let graph = observation.now
    var instances: [Work: [[Int]: Node]] = [:]
    for node in graph.snapshot.nodes where observation.hasStayed(node) {
      guard let work = work(of: node, in: observation), let way = wayDown(from: node, in: graph) else { continue }
      instances[work, default: [:]][way] = node
    }
    let found = instances.filter { $0.value.count >= least }
    return Dictionary(grouping: found, by: \.key.definition).compactMap { number, works -> Finding? in
      guard let definition = graph.definitions[number],
        let ways = works.max(by: { $0.value.count < $1.value.count })?.value
      else { return nil }
      let uses = ways.sorted { $0.value.id < $1.value.id }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: "this `\(definition.kind)` runs \(ways.count) times at once, once for each place that uses it",
        remedy:
          "put `share()` below it, in the signal that all of them use, or `share(replay: 1)` so that late ones get the newest value",
        related: uses.prefix(5).compactMap { way, _ in
          way.last.flatMap { graph.definitions[$0] }.map { .init("used by this `\($0.kind)`", at: Place($0)) }
        },
        nodes: uses.map(\.value.id))
    }.sorted { $0.place < $1.place }
  }

  private func work(of node: Node, in observation: Observation) -> Work? {
    let graph = observation.now
    guard let definition = graph.definition(of: node), !definition.function.contains(":") else { return nil }
    if Self.sources.contains(definition.kind) {
      let values = observation.values(of: node)
      return values >= leastValues ? Work(definition: definition.id, values: values) : nil
    }
    guard Self.operators.contains(definition.kind) else { return nil }
    var work = Work(definition: definition.id)
    var current = node
    while let edge = graph.inputs[current.id]?.first, let next = graph.nodes[edge.source], work.above.count < 1_000 {
      // A shared source is itself; whatever else is above stands for what is written there.
      if next.since == nil {
        work.above.append(next.id)
        return work
      }
      work.above.append(UInt64(next.definition))
      current = next
    }
    return nil
  }

  /// The definitions below a node, down to its subscriber; nil where it is or feeds an inner signal, or several.
  private func wayDown(from node: Node, in graph: GraphView) -> [Int]? {
    var way: [Int] = []
    var current = node
    while let edges = graph.outputs[current.id], !edges.isEmpty {
      guard edges.count == 1, edges[0].kind != .inner, let next = graph.nodes[edges[0].target], way.count < 1_000 else {
        return nil
      }
      way.append(next.definition)
      current = next
    }
    return way.isEmpty ? nil : way
  }
}
