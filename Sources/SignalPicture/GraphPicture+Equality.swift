import SignalGraph

extension GraphPicture {
  /// The indices of boxes that look the same and have equal surroundings: boxes of one group could be exchanged without
  /// a visible change.
  ///
  /// Boxes that look alike begin as one group. A group whose members have neighbours in different groups is split; its
  /// largest part retains its number, so that only the neighbours of the smaller parts are checked again (Hopcroft, "An
  /// n log n algorithm for minimizing states in a finite automaton", 1971, applied to colour refinement). A box moves
  /// to a smaller part at most log *n* times.
  ///
  /// - Parameter ignoresNames: Whether boxes that differ only in names look alike.
  /// - Returns: The groups, their indices in ascending order.
  /// - Complexity: O((boxes + links) log boxes) on average.
  func equalBoxes(ignoringNames ignoresNames: Bool) -> [[Int]] {
    let neighbours = neighboursByIndex
    var groups = BoxGroups(boxes.map { Look($0, ignoringNames: ignoresNames) })
    let roles = 2 * Edge.Kind.allCases.count
    var isUnsettled = [Bool](repeating: true, count: boxes.count)
    var unsettled = Array(boxes.indices)
    while !unsettled.isEmpty {
      for index in unsettled { isUnsettled[index] = false }
      // All are compared by the groups at the beginning of the round.
      var splits: [(group: Int, parts: [[Int]])] = []
      for (group, members) in Dictionary(grouping: unsettled, by: { groups.number[$0] }) {
        guard groups.members[group].count > 1 else { continue }
        let parts = Dictionary(grouping: members) { index in
          neighbours[index].map { groups.number[$0.box] * roles + $0.role }.sorted()
        }
        splits.append((group, parts.values.sorted { $0[0] < $1[0] }))
      }
      let moved = splits.flatMap { groups.split($0.group, into: $0.parts) }
      unsettled = []
      for neighbour in moved.lazy.flatMap({ neighbours[$0] }) where !isUnsettled[neighbour.box] {
        isUnsettled[neighbour.box] = true
        unsettled.append(neighbour.box)
      }
    }
    return groups.members.map { $0.sorted() }
  }

  /// The boxes that each one is linked to, as indices, with a number for the kind and direction of the link.
  private var neighboursByIndex: [[(box: Int, role: Int)]] {
    let position = Dictionary(uniqueKeysWithValues: boxes.enumerated().map { ($1.id, $0) })
    var neighbours = [[(box: Int, role: Int)]](repeating: [], count: boxes.count)
    for link in links {
      guard let source = position[link.source], let target = position[link.target] else { continue }
      let kind = Edge.Kind.allCases.firstIndex(of: link.kind) ?? 0
      neighbours[source].append((target, 2 * kind))
      neighbours[target].append((source, 2 * kind + 1))
    }
    return neighbours
  }

  private struct Look: Hashable {
    var definitions: [Int]
    var names: [String?]
    var failures: [String?]
    var state: Node.State
    var findings: Set<Node.Finding>
    var marks: Set<Int>
    var change: PictureChange?
    var channels: Set<ChannelEnd>

    init(_ box: Box, ignoringNames ignoresNames: Bool) {
      definitions = box.parts.map(\.definition.id)
      names = ignoresNames ? [] : box.parts.map(\.name)
      failures = box.parts.map(\.failure)
      state = box.state
      findings = box.findings
      marks = box.marks
      change = box.change
      channels = box.channels
    }
  }
}

/// Disjoint groups of boxes, by the boxes' indices.
private struct BoxGroups {
  /// The boxes of each group, in any order.
  private(set) var members: [[Int]] = []
  /// The number of each box's group.
  private(set) var number: [Int] = []
  /// The index of each box among the members of its group.
  private var place: [Int] = []

  /// Creates groups of boxes that look alike.
  init<Look: Hashable>(_ looks: [Look]) {
    var known: [Look: Int] = [:]
    for (index, look) in looks.enumerated() {
      let group = known[look] ?? members.count
      if group == members.count {
        known[look] = group
        members.append([])
      }
      number.append(group)
      place.append(members[group].count)
      members[group].append(index)
    }
  }

  /// Splits a group; the members that are in none of the parts are a part of their own. The largest part retains the
  /// group's number.
  ///
  /// - Returns: The boxes whose number has changed.
  /// - Complexity: O(members of the parts).
  mutating func split(_ group: Int, into parts: [[Int]]) -> [Int] {
    var parts = parts
    let rest = members[group].count - parts.reduce(0) { $0 + $1.count }
    guard let largest = parts.indices.max(by: { parts[$0].count < parts[$1].count }) else { return [] }
    if rest < parts[largest].count {
      let kept = Set(parts[largest])
      if rest > 0 {
        let named = Set(parts.joined())
        parts.append(members[group].filter { !named.contains($0) })
      }
      parts.remove(at: largest)
      if parts.isEmpty { return [] }
      let others = members[group].filter { !kept.contains($0) }
      for index in others { remove(index, from: group) }
    } else {
      for index in parts.joined() { remove(index, from: group) }
    }
    for part in parts {
      for (position, index) in part.enumerated() {
        number[index] = members.count
        place[index] = position
      }
      members.append(part)
    }
    return parts.flatMap { $0 }
  }

  private mutating func remove(_ index: Int, from group: Int) {
    let last = members[group].removeLast()
    guard last != index else { return }
    members[group][place[index]] = last
    place[last] = place[index]
  }
}
