import SignalGraph

/// The node whose values reach a combining operator over most of its inputs; of several, the nearest.
///
/// The search proceeds upstream from all inputs at once, step by step.
struct SharedSource {
  let node: Node
  /// The number of inputs that its values reach.
  let ways: Int

  /// The maximum number of nodes to visit above each input. Users would not recognise a longer path as a fault of this
  /// operator.
  private static let longestPath = 1_000

  /// - Parameter passesHandlers: Whether to continue above a source that only one handler sets, such as a property that
  ///   a signal is bound to.
  /// - Returns: Nil if no node is above two of the inputs.
  /// - Complexity: O(*k*) for *k* inputs.
  init?(of inputs: [Node], in observation: Observation, passingHandlers passesHandlers: Bool = false) {
    let graph = observation.now
    guard inputs.count > 1 else { return nil }
    var levels = inputs.map { [$0.id] }
    var seen = inputs.map { Set([$0.id]) }
    var reached: [UInt64: (ways: Int, distance: Int)] = [:]
    for input in inputs { reached[input.id, default: (0, 0)].ways += 1 }
    var best: (node: UInt64, ways: Int, distance: Int)?
    var step = 0
    func isBetter(_ node: UInt64, _ found: (ways: Int, distance: Int)) -> Bool {
      guard found.ways > 1 else { return false }
      return best.map { ($0.ways, found.distance, node) < (found.ways, $0.distance, $0.node) } ?? true
    }
    for (node, found) in reached where isBetter(node, found) { best = (node, found.ways, found.distance) }
    while levels.contains(where: { !$0.isEmpty }) {
      // Nodes found from here on are at least one step further from one of the inputs.
      if let best, best.ways == inputs.count, best.distance <= step { break }
      step += 1
      var touched: Set<UInt64> = []
      for way in levels.indices where !levels[way].isEmpty {
        var above: [UInt64] = []
        for id in levels[way] where seen[way].count < Self.longestPath {
          guard let node = graph.nodes[id] else { continue }
          for next in Self.above(node, in: observation, passesHandlers) where seen[way].insert(next).inserted {
            above.append(next)
            let before = reached[next] ?? (0, 0)
            reached[next] = (before.ways + 1, before.distance + step)
            touched.insert(next)
          }
        }
        levels[way] = above
      }
      for node in touched {
        if let found = reached[node], isBetter(node, found) { best = (node, found.ways, found.distance) }
      }
    }
    guard let best, let node = graph.nodes[best.node] else { return nil }
    (self.node, ways) = (node, best.ways)
  }

  /// The nodes whose values a node passes on at once.
  private static func above(_ node: Node, in observation: Observation, _ passesHandlers: Bool) -> [UInt64] {
    let graph = observation.now
    guard graph.behavior(of: node).contains(.passesOn) else { return [] }
    var edges = graph.inputs[node.id] ?? []
    if edges.isEmpty, passesHandlers, let handler = TimedWay.handler(settingOnly: node, in: observation) {
      edges = graph.inputs[handler.id] ?? []
    }
    return edges.filter { $0.kind == .data && graph.nodes[$0.source] != nil }.map(\.source)
  }
}
