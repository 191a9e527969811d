import SignalFindings
import SignalGraph
import SignalPicture

/// The live page's drawing of a program's graph: boxes with keys that are stable across snapshots, and the nodes that
/// they represent.
struct LivePicture: Sendable {
  /// The boxes and links.
  let picture: GraphPicture
  /// The key of each box, in the order of the drawing's boxes.
  ///
  /// A node, or a chain of nodes, is identified by its id while it is live. A box of many nodes is identified by their
  /// definitions, as nodes come and go.
  let keys: [String]
  /// A number for each box, from 0, that depends on the keys alone, so that the same boxes have the same layout.
  let numbers: [Int]
  /// The box of each drawn node, as an index, and the part of the box.
  let places: [UInt64: (box: Int, part: Int)]
  /// The nodes that each box represents, sorted.
  let members: [[UInt64]]
  /// The properties of the graph that it was created from.
  private let fingerprint: Fingerprint

  /// The properties of a graph that determine its drawing.
  private struct Fingerprint: Hashable {
    struct Look: Hashable {
      var id: UInt64
      var definition: Int
      var name: String?
      var state: Node.State
      var isLeaked: Bool
      var failure: String?
    }
    var nodes: [Look]
    var edges: [Edge]

    init(_ snapshot: GraphSnapshot) {
      nodes = snapshot.nodes.map {
        Look(
          id: $0.id, definition: $0.definition, name: $0.name, state: $0.state,
          isLeaked: $0.findings.contains(.leaked), failure: $0.failure)
      }
      edges = snapshot.edges.map { Edge(source: $0.source, target: $0.target, kind: $0.kind) }
    }
  }

  /// Creates the drawing of a view.
  ///
  /// - Parameters:
  ///   - last: The previous drawing of the same view, which is reused if nothing has changed.
  ///   - findings: The findings in the graph, for a filter.
  init(of snapshot: GraphSnapshot, view: PageView, findings: [SignalFindings.Finding] = [], last: LivePicture?) throws {
    var graph = Self.part(of: snapshot, in: view, findings)
    let fingerprint = Fingerprint(graph)
    if let last, last.fingerprint == fingerprint {
      self = last
      return
    }
    self.fingerprint = fingerprint
    // Counts change between snapshots; they are not to change which nodes are drawn as one.
    for index in graph.nodes.indices { graph.nodes[index].waiting = nil }
    for index in graph.nodes.indices where graph.nodes[index].findings.contains(where: { $0 != .leaked }) {
      graph.nodes[index].findings.removeAll { $0 != .leaked }
    }
    let options = view.options(
      for: view.showsEnded ? graph.nodes.count : graph.nodes.count { $0.state == .live || $0.state == .failed })
    var opened: Set<UInt64> = []
    var picture = try GraphPicture(of: graph, options: options)
    var keys = Self.keys(of: picture)
    var members = Self.members(of: picture, in: graph)
    // The remainder of a group has the group's key again, and is not opened again.
    var closed = Set(view.opened)
    // An opened box may contain boxes that are open as well.
    for _ in 0..<4 where !view.opened.isEmpty {
      var more: Set<UInt64> = []
      for (index, key) in keys.enumerated() where closed.contains(key) && members[index].count > 1 {
        closed.remove(key)
        more.formUnion(Self.nodes(opening: index, of: picture, members, in: graph))
      }
      guard !more.isSubset(of: opened) else { break }
      opened.formUnion(more)
      picture = try GraphPicture(of: graph, options: options, opening: opened, limit: PageView.openLimit * 4)
      keys = Self.keys(of: picture)
      members = Self.members(of: picture, in: graph)
    }
    (self.picture, self.keys, self.members) = (picture, keys, members)
    var numbers = [Int](repeating: 0, count: keys.count)
    for (number, index) in Self.order(of: keys).enumerated() { numbers[index] = number }
    self.numbers = numbers
    places = Self.places(of: members, in: picture, graph)
  }

  /// The box of each node, and the part of the box: the one with its definition. Of those with the same definition, a
  /// node is at the one that has as many of them above it.
  private static func places(
    of members: [[UInt64]], in picture: GraphPicture, _ graph: GraphSnapshot
  ) -> [UInt64: (box: Int, part: Int)] {
    let definitions = Dictionary(graph.nodes.map { ($0.id, $0.definition) }) { first, _ in first }
    let repeats = picture.boxes.map { Set($0.parts.map(\.definition.id)).count < $0.parts.count }
    let above =
      repeats.contains(true)
      ? Dictionary(graph.edges.lazy.filter { $0.kind == .data }.map { ($0.target, $0.source) }) { first, _ in first }
      : [:]
    var places: [UInt64: (box: Int, part: Int)] = [:]
    for (box, nodes) in members.enumerated() {
      let parts = picture.boxes[box].parts
      let inside = repeats[box] ? Set(nodes) : []
      for node in nodes {
        let equal = parts.count > 1 ? parts.indices.filter { parts[$0].definition.id == definitions[node] } : []
        var number = 0
        var next = node
        var steps = 0
        while equal.count > 1, steps < parts.count, let source = above[next], inside.contains(source) {
          if definitions[source] == definitions[node] { number += 1 }
          next = source
          steps += 1
        }
        places[node] = (box, equal.isEmpty ? 0 : equal[min(number, equal.count - 1)])
      }
    }
    return places
  }

  /// Whether another drawing has the same boxes and links, except for the number of nodes each represents and for ids
  /// of nodes that came and went.
  func isDrawn(as other: LivePicture) -> Bool {
    fingerprint == other.fingerprint
  }

  /// The part of a graph that a view selects.
  static func part(of graph: GraphSnapshot, in view: PageView, _ findings: [SignalFindings.Finding]) -> GraphSnapshot {
    var graph = graph
    if !view.filter.isEmpty {
      let found = NodeSearch(view.filter, in: graph, findings: findings).nodes
      graph = GraphLookup.part(of: graph, with: Set(found.map(\.id)))
    }
    return view.focus.isEmpty ? graph : graph.part(around: graph.nodes(matching: GraphFocus.Target(view.focus)))
  }

  private static func keys(of picture: GraphPicture) -> [String] {
    var counts: [String: Int] = [:]
    return picture.boxes.map { box in
      let key =
        if let group = box.group {
          group.isEmpty ? "rest" : "h\(group)"
        } else if box.copies == 1 {
          "n\(box.id)"
        } else {
          "d" + box.parts.map { "\($0.definition.id)" }.joined(separator: ".")
        }
      counts[key, default: 0] += 1
      return counts[key] == 1 ? key : "\(key)~\(counts[key] ?? 0)"
    }
  }

  /// The order of keys by their numbers: the oldest first.
  private static func order(of keys: [String]) -> [Int] {
    let ranks = keys.map { Int($0.dropFirst().prefix { $0.isNumber }) ?? .max }
    return keys.indices.sorted { (ranks[$0], keys[$0]) < (ranks[$1], keys[$1]) }
  }

  private static func members(of picture: GraphPicture, in graph: GraphSnapshot) -> [[UInt64]] {
    let index = Dictionary(picture.boxes.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var members = [[UInt64]](repeating: [], count: picture.boxes.count)
    for (node, box) in picture.boxes(of: graph.nodes.map(\.id)) {
      if let box = index[box] { members[box].append(node) }
    }
    return members.map { $0.sorted() }
  }

  /// The nodes that are drawn when a box is opened: those of a file or a module; for a group of equal chains its first
  /// nodes, as whole chains.
  private static func nodes(
    opening box: Int, of picture: GraphPicture, _ members: [[UInt64]], in graph: GraphSnapshot
  ) -> Set<UInt64> {
    let copies = picture.boxes[box].copies
    guard picture.boxes[box].heading == nil, copies > 1 else { return Set(members[box]) }
    let first = Set(members[box].prefix(PageView.openLimit))
    // The boxes of the same chains.
    let equal = Set(picture.boxes.filter { $0.heading == nil && $0.copies == copies }.map(\.id))
    let inside = Set(
      zip(picture.boxes, members).filter { equal.contains($0.0.id) }.flatMap { $0.1 })
    var neighbours: [UInt64: [UInt64]] = [:]
    for edge in graph.edges where inside.contains(edge.source) && inside.contains(edge.target) {
      neighbours[edge.source, default: []].append(edge.target)
      neighbours[edge.target, default: []].append(edge.source)
    }
    var found = first
    var waiting = Array(first)
    while let node = waiting.popLast(), found.count < PageView.openLimit * 4 {
      for next in neighbours[node] ?? [] where found.insert(next).inserted { waiting.append(next) }
    }
    return found
  }
}
