import SignalGraph

/// How many values go on below nodes, one after the other as they come, until somebody takes them.
///
/// A way down ends at a node that nothing is below, or at an operator of which it is not known what it makes of values. It is as narrow as the node
/// on it that gets the fewest; a way through an operator that waits until values have settled is none. Of each node the widest way counts.
struct UnsettledWays {
  private var widths: [UInt64: UInt64] = [:]

  /// - Parameters:
  ///   - graph: The graph.
  ///   - count: How many values a node gets.
  /// - Complexity: O(*n* log *n*) in nodes, and O(edges).
  init(in graph: GraphView, count: (Node) -> UInt64) {
    var steady: [(node: UInt64, count: UInt64)] = []
    for node in graph.nodes.values {
      if graph.behavior(of: node).contains(.passesOn) { steady.append((node.id, count(node))) }
      let below = (graph.outputs[node.id] ?? []).compactMap { graph.nodes[$0.target] }
      // Here a way ends.
      if below.isEmpty
        || below.contains(where: { graph.behavior(of: $0).isDisjoint(with: [.settles, .passesOn]) })
      {
        widths[node.id] = .max
      }
    }
    // The widest first: each node has its width when the first way to it is found, and hands it up once.
    var isOpen: Set<UInt64> = []
    for (node, count) in steady.sorted(by: { $0.count > $1.count }) {
      isOpen.insert(node)
      guard widths[node] != nil else { continue }
      var waiting = [node]
      while let next = waiting.popLast() {
        for edge in graph.inputs[next] ?? [] where widths[edge.source] == nil && graph.nodes[edge.source] != nil {
          widths[edge.source] = count
          if isOpen.contains(edge.source) { waiting.append(edge.source) }
        }
      }
    }
  }

  /// Whether each way down from a node has a node that gets at most so many values, or an operator that waits until they have settled.
  func isSettled(below node: Node, atMost limit: UInt64) -> Bool { (widths[node.id] ?? 0) <= limit }
}
