public import SignalGraph

/// Which part of the graph a snapshot shows. Every condition that is given has to hold; none are given at first.
public struct SnapshotFilter: Codable, Hashable, Sendable {
  /// Only nodes from which this one can be reached, or that can be reached from it, and itself.
  ///
  /// Tells a node by its identifier, its name, or its place (`Feed.swift:42`).
  public var focus: String?
  /// How many edges away from the focus nodes are shown; without a limit when `nil`.
  public var depth: Int?
  /// Only nodes of one of these kinds (`map`), when not empty.
  public var kinds: [String]
  /// Only nodes from one of these files (`App/Feed.swift` or `Feed.swift`), when not empty.
  public var files: [String]
  /// Only nodes with one of these names, when not empty.
  public var names: [String]
  /// Whether nodes are shown that finished, failed or were disposed.
  public var includesEnded: Bool

  /// Makes a filter; without arguments it lets everything through.
  public init(
    focus: String? = nil, depth: Int? = nil, kinds: [String] = [], files: [String] = [], names: [String] = [],
    includesEnded: Bool = true
  ) {
    self.focus = focus
    self.depth = depth
    self.kinds = kinds
    self.files = files
    self.names = names
    self.includesEnded = includesEnded
  }
}

extension GraphSnapshot {
  /// The part of the snapshot that `filter` lets through: its nodes, the edges between them, and their definitions.
  ///
  /// The focus is followed through the whole graph before the other conditions are looked at.
  ///
  /// - Complexity: O(n) in nodes and edges.
  public func filtered(by filter: SnapshotFilter) -> GraphSnapshot {
    guard filter != SnapshotFilter() else { return self }
    let definitionByID = Dictionary(definitions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let near = filter.focus.map { focus in
      neighbourhood(
        of: Set(nodes.lazy.filter { $0.isFocus(focus, definition: definitionByID[$0.definition]) }.map(\.id)),
        depth: filter.depth)
    }
    var result = self
    result.nodes = nodes.filter { node in
      (near?.contains(node.id) ?? true) && filter.admits(node, definition: definitionByID[node.definition])
    }
    let kept = Set(result.nodes.map(\.id))
    let used = Set(result.nodes.map(\.definition))
    result.edges = edges.filter { kept.contains($0.source) && kept.contains($0.target) }
    result.definitions = definitions.filter { used.contains($0.id) }
    return result
  }

  private func neighbourhood(of start: Set<Node.ID>, depth: Int?) -> Set<Node.ID> {
    let downstream = Dictionary(grouping: edges, by: \.source).mapValues { $0.map(\.target) }
    let upstream = Dictionary(grouping: edges, by: \.target).mapValues { $0.map(\.source) }
    return Self.reach(from: start, along: downstream, depth: depth)
      .union(Self.reach(from: start, along: upstream, depth: depth))
  }

  private static func reach(from start: Set<Node.ID>, along next: [Node.ID: [Node.ID]], depth: Int?) -> Set<Node.ID> {
    var seen = start
    var frontier = Array(start)
    var remaining = depth ?? .max
    while !frontier.isEmpty, remaining > 0 {
      remaining -= 1
      frontier = frontier.flatMap { next[$0] ?? [] }.filter { seen.insert($0).inserted }
    }
    return seen
  }
}

extension SnapshotFilter {
  fileprivate func admits(_ node: Node, definition: Definition?) -> Bool {
    if !includesEnded, node.state != .live { return false }
    if !kinds.isEmpty, !(definition.map { kinds.contains($0.kind) } ?? false) { return false }
    if !names.isEmpty, !(node.name.map { names.contains($0) } ?? false) { return false }
    if files.isEmpty { return true }
    return definition.map { definition in files.contains { definition.fileID == $0 || definition.fileName == $0 } }
      ?? false
  }
}

extension Node {
  fileprivate func isFocus(_ focus: String, definition: Definition?) -> Bool {
    if String(id) == focus || name == focus { return true }
    guard let definition else { return false }
    return "\(definition.fileID):\(definition.line)" == focus || "\(definition.fileName):\(definition.line)" == focus
  }
}

extension Definition {
  fileprivate var fileName: Substring { fileID.split(separator: "/").last ?? Substring(fileID) }
}
