extension GraphFocus {
  /// Returns the parts of several programs' graphs upstream and downstream of the targets; channels between programs
  /// are followed like edges.
  ///
  /// - Parameter graphs: The graphs.
  /// - Returns: A part of each graph, in their order; one without a relevant node is empty.
  /// - Throws: ``GraphFocusError`` for the first text that matches no node of any graph.
  /// - Complexity: O(texts * nodes + edges).
  package func parts(of graphs: [GraphSnapshot]) throws(GraphFocusError) -> [GraphSnapshot] {
    guard !texts.isEmpty else { return graphs }
    var starts = Set<Place>()
    for text in texts {
      let target = Target(text)
      let found = graphs.enumerated().flatMap { number, graph in
        graph.nodes(matching: target).map { Place(graph: number, node: $0) }
      }
      guard !found.isEmpty else {
        let candidates = graphs.flatMap { graph in graph.focusCandidates.prefix(4) }
        throw GraphFocusError(text: text, candidates: Array(candidates.prefix(12)))
      }
      starts.formUnion(found)
    }
    let kept = reach(from: starts, in: graphs, isUp: true).union(reach(from: starts, in: graphs, isUp: false))
    let byGraph = Dictionary(grouping: kept, by: \.graph).mapValues { Set($0.map(\.node)) }
    return graphs.enumerated().map { $1.part(of: byGraph[$0] ?? []) }
  }

  private struct Place: Hashable {
    var graph: Int
    var node: Node.ID
  }

  private func reach(from starts: Set<Place>, in graphs: [GraphSnapshot], isUp: Bool) -> Set<Place> {
    var next: [Place: [Place]] = [:]
    var (left, entered): ([Place: [String]], [String: [Place]]) = ([:], [:])
    for (number, graph) in graphs.enumerated() {
      for edge in graph.edges {
        let (from, to) = isUp ? (edge.target, edge.source) : (edge.source, edge.target)
        next[Place(graph: number, node: from), default: []].append(Place(graph: number, node: to))
      }
      for node in graph.nodes {
        let place = Place(graph: number, node: node.id)
        for end in node.channels ?? [] {
          if end.direction == (isUp ? .from : .to) {
            left[place, default: []].append(end.name)
          } else {
            entered[end.name, default: []].append(place)
          }
        }
      }
    }
    var seen = starts
    var frontier = Array(starts)
    var remaining = depth ?? Int.max
    while !frontier.isEmpty && remaining > 0 {
      remaining -= 1
      frontier = frontier.flatMap { place in
        var targets = next[place] ?? []
        // Everything behind a channel is visited at once, so it need not be visited again.
        for name in left[place] ?? [] { targets += entered.removeValue(forKey: name) ?? [] }
        return targets
      }.filter { seen.insert($0).inserted }
    }
    return seen
  }
}
