import SignalGraph

/// Work that is done once for each of several subscribers although all need the same result: `share` is missing.
///
/// Two snapshots are needed. The rule checks sources that start work of their own (`Signal { }`, `interval`,
/// `asyncSequence`, `async`), `mapAsync`, and `flatMap` and similar operators whose inner signals begin at such
/// sources. At least 3 live instances of one definition must lead to subscribers by different paths, none of them as an
/// inner signal. Sources must have emitted about the same number of values while the graph was watched, at least 3.
/// Instances of an operator must receive their values from one source, through the same operators. A definition in a
/// function with parameters, which may be called for different purposes, counts only if its subscribers are in the same
/// function.
///
/// ``RestartedShare`` reports a shared signal that restarts such a source repeatedly, because its only subscriber
/// leaves each time.
struct RepeatedSourceRule: Rule {
  static let name = "repeated-source"
  static let summary = "work that is done again for each subscriber, where `share` would do it once"

  /// The minimum number of instances.
  var least = 3
  /// The minimum number of values of each source.
  var leastValues: UInt64 = 3

  /// The key of instances that do the same work.
  private struct Work: Hashable {
    let definition: Int
    /// For an operator: the definitions above it, and the source.
    var above: [UInt64] = []
  }

  /// One instance of the work, and the path to its subscriber.
  private struct Instance {
    let node: Node
    let way: [Int]
    /// Whether a shared source is below it, for this path only.
    let isShared: Bool
    /// For a source: the number of values that it emitted.
    let values: UInt64
  }

  func findings(in observation: Observation) -> [Finding] {
    guard observation.before != nil else { return [] }
    let graph = observation.now
    var instances: [Work: [Instance]] = [:]
    for node in graph.snapshot.nodes where observation.hasStayed(node) {
      guard let (work, values) = work(of: node, in: observation), let below = nodesBelow(node, in: graph) else {
        continue
      }
      let way = below.map(\.definition)
      guard isOneThing(node, way, in: graph) else { continue }
      let isShared = below.contains { $0.since == nil }
      instances[work, default: []].append(Instance(node: node, way: way, isShared: isShared, values: values))
    }
    let found = instances.mapValues { largestGroup(of: $0) }.filter { $0.value.count >= least }
    let repeated = Dictionary(grouping: found, by: \.key.definition).compactMap { number, works -> Finding? in
      guard let definition = graph.definitions[number],
        let uses = works.max(by: { $0.value.count < $1.value.count })?.value
      else { return nil }
      return Finding(
        rule: Self.name, severity: .warning, place: Place(definition),
        message: "this `\(definition.kind)` runs \(uses.count) times at once, once for each location that uses it",
        remedy: uses.allSatisfy({ $0.isShared })
          ? "keep the shared signal, such as in a `let`: a `share` that is created for each use shares nothing"
          : "put `share()` below it, in the signal that all of them use, or `share(replay: 1)` so that late subscribers get the newest value",
        related: uses.prefix(5).compactMap { use in
          use.way.last.flatMap { graph.definitions[$0] }.map { .init("used here", at: Place($0)) }
        },
        nodes: uses.map(\.node.id))
    }
    return (repeated + RestartedShare(in: observation).findings(Self.name)).sorted { $0.place < $1.place }
  }

  /// The instances that emitted about the same number of values, one for each path, in the order of their creation.
  private func largestGroup(of instances: [Instance]) -> [Instance] {
    let sorted = instances.sorted { ($0.values, $0.node.id) < ($1.values, $1.node.id) }
    var largest: [Instance] = []
    var start = 0
    while start < sorted.count {
      // The counts are read one after the other, and timers that are set one after the other are due at different
      // times.
      let first = sorted[start]
      let group = sorted[start...].prefix { $0.values <= first.values + 1 + first.values / 50 }
      let ways = Dictionary(group.map { ($0.way, $0) }) { first, _ in first }
      if ways.count > largest.count { largest = Array(ways.values) }
      // Instances with the same count have the same group, or a part of it.
      while start < sorted.count, sorted[start].values == first.values { start += 1 }
    }
    return largest.sorted { $0.node.id < $1.node.id }
  }

  private func work(of node: Node, in observation: Observation) -> (Work, values: UInt64)? {
    let graph = observation.now
    guard let definition = graph.definition(of: node) else { return nil }
    let behavior = graph.behavior(of: node)
    if behavior.contains(.startsWork) {
      let values = observation.values(of: node)
      return values >= leastValues ? (Work(definition: definition.id), values) : nil
    }
    guard behavior.contains(.runsTasks) || startsWork(node, in: observation) else {
      return nil
    }
    var work = Work(definition: definition.id)
    var current = node
    while let edge = graph.mainInput(of: current.id), let next = graph.nodes[edge.source], work.above.count < 1_000 {
      // A shared source is identified by its node, everything else by its definition.
      if next.since == nil {
        work.above.append(next.id)
        return (work, 0)
      }
      work.above.append(UInt64(bitPattern: Int64(next.definition)))
      current = next
    }
    return nil
  }

  /// Whether an operator starts work for each value, and received some values while the graph was watched.
  private func startsWork(_ node: Node, in observation: Observation) -> Bool {
    guard observation.now.behavior(of: node).contains(.runsInner), observation.values(of: node) >= leastValues else {
      return false
    }
    let graph = observation.now
    return (graph.inputs[node.id] ?? []).contains { edge in
      guard edge.kind == .inner, let inner = graph.nodes[edge.source] else { return false }
      return graph.behavior(of: graph.origin(of: inner)).contains(.startsWork)
    }
  }

  /// Whether a node does the same for all its users, as far as its location shows.
  private func isOneThing(_ node: Node, _ way: [Int], in graph: GraphView) -> Bool {
    guard let source = graph.definition(of: node), source.function.contains(":") else { return true }
    let user = way.last.flatMap { graph.definitions[$0] }
    return user?.fileID == source.fileID && user?.function == source.function
  }

  /// The nodes below a node, down to its subscriber; nil if it is or feeds an inner signal, or has several outputs.
  private func nodesBelow(_ node: Node, in graph: GraphView) -> [Node]? {
    var below: [Node] = []
    var current = node
    while let edges = graph.outputs[current.id], !edges.isEmpty {
      guard edges.count == 1, edges[0].kind != .inner, let next = graph.nodes[edges[0].target], below.count < 1_000
      else {
        return nil
      }
      below.append(next)
      current = next
    }
    return below.isEmpty ? nil : below
  }
}
