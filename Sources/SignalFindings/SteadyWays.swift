import SignalGraph

/// The ways up from nodes along which each value came: from each node to the one from which all of its values are.
///
/// As there is at most one such node above each, the ways are trees. A node knows one further up, beside the next: so two ways are compared without
/// going along all of both.
struct SteadyWays {
  private var numbers: [UInt64: Int] = [:]
  private var nodes: [Node] = []
  private var counts: [UInt64] = []
  /// The next node on the way; of the uppermost that itself.
  private var next: [Int] = []
  /// One further up.
  private var leap: [Int] = []
  private var depth: [Int] = []
  private var root: [Int] = []
  /// The place in an order in which each node stands before those below it, and next to them.
  private var order: [Int] = []
  /// The fewest and the most values of the nodes from this one to the one before the end of its leap.
  private var range: [ClosedRange<UInt64>] = []

  /// A node that several ways have in common.
  struct Meeting {
    let source: Node
    /// How many of the ways come by it.
    let ways: Int
    /// How far it is up all of these, together.
    fileprivate let distance: Int

    fileprivate func isBetter(than other: Meeting) -> Bool {
      (other.ways, distance, source.id) < (ways, other.distance, other.source.id)
    }
  }

  /// By how much numbers may differ that are read one after the other while values pass.
  static func slack(_ count: UInt64) -> UInt64 { 1 + count / 100 }

  /// - Complexity: O(*n* log *n*) in nodes, and O(edges).
  init(in observation: Observation) {
    let graph = observation.now
    nodes = graph.nodes.values.sorted { $0.id < $1.id }
    for (number, node) in nodes.enumerated() { numbers[node.id] = number }
    counts = nodes.map(observation.values)
    next = nodes.indices.map { sourceOfAll(at: $0, in: graph) ?? $0 }
    leap = next
    depth = [Int](repeating: -1, count: nodes.count)
    root = Array(nodes.indices)
    range = counts.map { $0...$0 }
    for number in nodes.indices { connect(number) }
    order = Array(nodes.indices)
    let below = Dictionary(grouping: nodes.indices.filter { next[$0] != $0 }) { next[$0] }
    var waiting = nodes.indices.filter { next[$0] == $0 }
    var place = 0
    while let number = waiting.popLast() {
      order[number] = place
      place += 1
      waiting += below[number] ?? []
    }
  }

  /// The node that gave all values of another one.
  private func sourceOfAll(at number: Int, in graph: GraphView) -> Int? {
    let node = nodes[number]
    guard graph.behavior(of: node).contains(.passesOn) else { return nil }
    // What is only kept causes nothing.
    let inputs = (graph.inputs[node.id] ?? []).filter { $0.kind != .sampled }
    // Where several inputs gave values, those that came out may be of any.
    let active = inputs.filter { edge in numbers[edge.source].map { counts[$0] > 0 } ?? false }
    guard let source = active.first?.source, active.allSatisfy({ $0.source == source }),
      active.contains(where: { $0.kind == .data })
    else { return nil }
    return numbers[source]
  }

  /// Looks up what is above a node, from the uppermost down to it.
  private mutating func connect(_ first: Int) {
    var way: [Int] = []
    var seen: Set<Int> = []
    var current = first
    while depth[current] < 0 {
      way.append(current)
      seen.insert(current)
      // A ring has no uppermost node: it ends where it is entered.
      if seen.contains(next[current]) { next[current] = current }
      guard next[current] != current else { break }
      current = next[current]
    }
    for number in way.reversed() {
      let above = next[number]
      guard above != number else {
        (depth[number], leap[number]) = (0, number)
        continue
      }
      depth[number] = depth[above] + 1
      root[number] = root[above]
      // Two leaps of the same length make one, so that there are few on the way to any node above.
      let far = leap[above]
      guard depth[above] - depth[far] == depth[far] - depth[leap[far]], far != above else {
        leap[number] = above
        continue
      }
      leap[number] = leap[far]
      range[number] = Self.union(Self.union(range[number], range[above]), range[far])
    }
  }

  private static func union(_ one: ClosedRange<UInt64>, _ other: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
  }

  /// The node that is on most of the ways from several nodes, and of these the one that is nearest; nil where no two meet.
  ///
  /// A way goes as far as about as many values came by each node as by the first, which are at least `least`.
  ///
  /// - Complexity: O(*k* log *n*) for *k* ways, for each node at which some of them come together.
  func meeting(of starts: [Node], least: UInt64) -> Meeting? {
    let ways = starts.compactMap { numbers[$0.id] }.filter { counts[$0] >= least }
    var best: Meeting?
    for group in Dictionary(grouping: ways, by: { root[$0] }).values where group.count > 1 {
      for node in branches(of: group) {
        let distances = group.compactMap { distance(from: $0, to: node) }
        guard distances.count > 1 else { continue }
        let meeting = Meeting(source: nodes[node], ways: distances.count, distance: distances.reduce(0, +))
        if best.map(meeting.isBetter) ?? true { best = meeting }
      }
    }
    return best
  }

  /// The nodes at which ways of one tree come together.
  private func branches(of ways: [Int]) -> Set<Int> {
    // In the order of the tree it is enough to look at neighbours.
    let ordered = ways.sorted { order[$0] < order[$1] }
    return Set(zip(ordered, ordered.dropFirst()).map(common))
  }

  /// How far a node is up the way from another one; nil where it is not on it.
  private func distance(from start: Int, to node: Int) -> Int? {
    guard depth[start] >= depth[node] else { return nil }
    let limits =
      counts[start] - min(counts[start], Self.slack(counts[start]))...counts[start] + Self.slack(counts[start])
    var current = start
    while depth[current] > depth[node] {
      let isNear = depth[leap[current]] < depth[node]
      let passed = isNear ? counts[current]...counts[current] : range[current]
      guard limits.contains(passed.lowerBound), limits.contains(passed.upperBound) else { return nil }
      current = isNear ? next[current] : leap[current]
    }
    return current == node && limits.contains(counts[node]) ? depth[start] - depth[node] : nil
  }

  /// The nearest node that is above two of one tree, or one of them.
  private func common(_ one: Int, _ other: Int) -> Int {
    var (low, high) = depth[one] >= depth[other] ? (one, other) : (other, one)
    while depth[low] > depth[high] { low = depth[leap[low]] >= depth[high] ? leap[low] : next[low] }
    while low != high {
      (low, high) = leap[low] == leap[high] ? (next[low], next[high]) : (leap[low], leap[high])
    }
    return low
  }
}
