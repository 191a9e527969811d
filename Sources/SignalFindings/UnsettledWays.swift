import SignalGraph

/// The number of values that pass below nodes, one by one as they arrive, to a consumer.
///
/// A path downstream ends at a node without outputs, or at an operator with unknown behaviour. Its width is the
/// smallest number of values that a node on it receives. A path through an operator that waits until values have
/// settled does not count. For each node, the widest path counts.
struct UnsettledWays {
  private var widths: [UInt64: UInt64] = [:]

  /// - Parameters:
  ///   - graph: The graph.
  ///   - count: Returns the number of values that a node receives.
  /// - Complexity: O(*n* log *n*) in nodes, and O(edges).
  init(in graph: GraphView, count: (Node) -> UInt64) {
    var steady: [(node: UInt64, count: UInt64)] = []
    for node in graph.nodes.values {
      if graph.behavior(of: node).contains(.passesOn) { steady.append((node.id, count(node))) }
      let below = (graph.outputs[node.id] ?? []).compactMap { graph.nodes[$0.target] }
      // A path ends here.
      if below.isEmpty
        || below.contains(where: { graph.behavior(of: $0).isDisjoint(with: [.settles, .passesOn]) })
      {
        widths[node.id] = .max
      }
    }
    // The widest first: the first path to a node gives its width, which is passed upstream once.
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

  /// Whether each path downstream from a node has a node that receives at most `limit` values, or an operator that
  /// waits until values have settled.
  func isSettled(below node: Node, atMost limit: UInt64) -> Bool { (widths[node.id] ?? 0) <= limit }
}
