import SignalGraph

/// The paths upstream from several nodes along which each value came: at each step, all values are from one node.
struct SteadyWays {
  /// The node that is on most of the paths; of several, the nearest.
  let source: Node
  /// The number of paths that contain it.
  let ways: Int

  /// The allowed difference of two counts that are read one after the other while values pass.
  static func slack(_ count: UInt64) -> UInt64 { 1 + count / 100 }

  /// Follows each path as long as each node on it passed about as many values as the first, which are at least `least`.
  ///
  /// - Returns: Nil if no two paths meet.
  /// - Complexity: O(*k*) for *k* paths, as each is followed for at most ``GraphView/longestPath`` nodes.
  init?(from starts: [Node], least: UInt64, in observation: Observation) {
    var reached: [UInt64: (ways: Int, distance: Int)] = [:]
    for start in starts where observation.values(of: start) >= least {
      for (distance, node) in Self.way(from: start, in: observation).enumerated() {
        let known = reached[node] ?? (0, 0)
        reached[node] = (known.ways + 1, known.distance + distance)
      }
    }
    let best = reached.filter { $0.value.ways > 1 }.max { one, other in
      (one.value.ways, other.value.distance, other.key) < (other.value.ways, one.value.distance, one.key)
    }
    guard let best, let node = observation.now.nodes[best.key] else { return nil }
    (source, ways) = (node, best.value.ways)
  }

  /// The nodes of a path, from its start upstream.
  private static func way(from start: Node, in observation: Observation) -> [UInt64] {
    let count = observation.values(of: start)
    let limits = count - min(count, slack(count))...count + slack(count)
    var (current, way, seen) = (start, [start.id], Set([start.id]))
    while way.count < GraphView.longestPath, let next = sourceOfAll(current, in: observation),
      limits.contains(observation.values(of: next)), seen.insert(next.id).inserted
    {
      way.append(next.id)
      current = next
    }
    return way
  }

  /// The node from which all values of a node came.
  private static func sourceOfAll(_ node: Node, in observation: Observation) -> Node? {
    let graph = observation.now
    guard graph.behavior(of: node).contains(.passesOn) else { return nil }
    // Sampled values cause nothing. If several inputs delivered values, each value may be from any of them.
    let active = (graph.inputs[node.id] ?? []).filter { edge in
      edge.kind != .sampled && graph.nodes[edge.source].map { observation.values(of: $0) > 0 } == true
    }
    guard let source = active.first?.source, active.allSatisfy({ $0.source == source }),
      active.contains(where: { $0.kind == .data })
    else { return nil }
    return graph.nodes[source]
  }
}
