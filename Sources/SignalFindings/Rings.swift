/// The cycles of a graph, as its strongly connected components: each node of a cycle leads to all others.
struct Rings {
  private var ring: [UInt64: Int] = [:]

  /// Finds the cycles that are reachable from some nodes, with Tarjan's algorithm.
  ///
  /// - Parameters:
  ///   - starts: The nodes.
  ///   - targets: Returns the nodes that one leads to.
  /// - Complexity: O(*n*) in nodes and edges.
  init(from starts: some Sequence<UInt64>, targets: (UInt64) -> [UInt64]) {
    var number: [UInt64: Int] = [:]
    /// The lowest number of an open node that a node leads to.
    var lowest: [UInt64: Int] = [:]
    var open: [UInt64] = []
    var count = 0
    for start in starts where number[start] == nil {
      var way: [(node: UInt64, targets: [UInt64], next: Int)] = []
      func enter(_ node: UInt64) {
        number[node] = number.count
        lowest[node] = number[node]
        open.append(node)
        way.append((node, targets(node), 0))
      }
      enter(start)
      while let last = way.last {
        if last.next < last.targets.count {
          way[way.count - 1].next += 1
          let target = last.targets[last.next]
          if number[target] == nil {
            enter(target)
          } else if ring[target] == nil {
            lowest[last.node] = min(lowest[last.node] ?? 0, number[target] ?? 0)
          }
          continue
        }
        way.removeLast()
        if let above = way.last?.node { lowest[above] = min(lowest[above] ?? 0, lowest[last.node] ?? 0) }
        guard lowest[last.node] == number[last.node] else { continue }
        while let node = open.popLast() {
          ring[node] = count
          if node == last.node { break }
        }
        count += 1
      }
    }
  }

  /// Whether two linked nodes are in the same cycle.
  func contain(_ one: UInt64, _ other: UInt64) -> Bool { ring[one].map { $0 == ring[other] } ?? false }
}
