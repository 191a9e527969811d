import SignalGraph
import SignalPicture

/// The properties of a graph that determine which boxes and links are drawn, and how they look: everything except
/// figures.
struct GraphStructure: Equatable {
  private struct Look: Equatable {
    var name: String?
    var state: Node.State
    var isLeaked: Bool
    var failure: String?
    var place: String
  }

  private struct Line: Hashable {
    var source: UInt64
    var target: UInt64
    var kind: String
  }

  private let nodes: [UInt64: Look]
  private let counts: NodeCounts
  private let lines: Set<Line>

  /// Creates the structure of the drawn part.
  ///
  /// - Parameter showsEnded: Whether nodes that finished or were disposed are drawn.
  init(_ graph: GraphSnapshot, showsEnded: Bool) {
    let definitions = Dictionary(graph.definitions.map { ($0.id, $0) }) { first, _ in first }
    var nodes: [UInt64: Look] = [:]
    for node in graph.nodes {
      let isLeaked = node.findings.contains(.leaked)
      guard showsEnded || node.state == .live || node.state == .failed || isLeaked else { continue }
      let definition = definitions[node.definition]
      let file = definition.map { $0.fileID.split(separator: "/").last.map(String.init) ?? $0.fileID } ?? ""
      nodes[node.id] = Look(
        name: node.name, state: node.state, isLeaked: isLeaked, failure: node.failure,
        place: definition.map { "\(node.name.map { "`\($0)`" } ?? $0.kind) \(file):\($0.line)" } ?? "")
    }
    self.nodes = nodes
    counts = NodeCounts(of: graph)
    lines = Set(
      graph.edges.lazy.filter { nodes[$0.source] != nil && nodes[$0.target] != nil }
        .map { Line(source: $0.source, target: $0.target, kind: $0.kind.rawValue) })
  }

  /// A description such as `25 nodes, 24 edges`.
  var words: String { "\(counts.words), \(Self.count(lines.count, "edge"))" }

  /// The number of locations named.
  private static let namedPlaces = 3

  /// The changes since an earlier structure, such as
  /// `+3 nodes (map Feed.swift:12, subscribe Feed.swift:14), −1 node, 2 failed`; nil if there are none.
  func changes(since before: GraphStructure) -> String? {
    let added = nodes.filter { before.nodes[$0.key] == nil }
    let removed = before.nodes.filter { nodes[$0.key] == nil }
    var parts = [Self.list("+", added), Self.list("−", removed)].compactMap(\.self)
    var (failed, ended, leaked, others) = (0, 0, 0, 0)
    for (id, look) in nodes {
      guard let was = before.nodes[id], was != look else { continue }
      switch look.state {
      case .failed where was.state != .failed: failed += 1
      case .finished where was.state != .finished, .disposed where was.state != .disposed: ended += 1
      default: if look.isLeaked && !was.isLeaked { leaked += 1 } else { others += 1 }
      }
    }
    for (count, what) in [(failed, "failed"), (ended, "ended"), (leaked, "leaked"), (others, "changed")] where count > 0
    {
      parts.append("\(count.grouped) \(what)")
    }
    // Edges of nodes that came or went are not reported.
    let (new, old) = (lines.subtracting(before.lines), before.lines.subtracting(lines))
    let joined = new.count { added[$0.source] == nil && added[$0.target] == nil }
    let parted = old.count { removed[$0.source] == nil && removed[$0.target] == nil }
    if joined > 0 { parts.append("+\(Self.count(joined, "edge"))") }
    if parted > 0 { parts.append("−\(Self.count(parted, "edge"))") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func list(_ sign: String, _ nodes: [UInt64: Look]) -> String? {
    guard !nodes.isEmpty else { return nil }
    var places: [String] = []
    for (_, look) in nodes.sorted(by: { $0.key < $1.key }) where !look.place.isEmpty && !places.contains(look.place) {
      places.append(look.place)
      if places.count > namedPlaces { break }
    }
    let named = places.prefix(namedPlaces).map { $0.displayable(limit: 60) }.joined(separator: ", ")
    let rest = places.count > namedPlaces ? ", …" : ""
    return "\(sign)\(count(nodes.count, "node"))" + (named.isEmpty ? "" : " (\(named)\(rest))")
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number.grouped) \(what)\(number == 1 ? "" : "s")"
  }
}
