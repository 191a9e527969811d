extension GraphSnapshot {
  /// Returns the part of the graph upstream and downstream of the targets.
  ///
  /// - Parameter focus: The targets, and the depth.
  /// - Returns: A snapshot with these nodes, the edges between them, and their definitions.
  /// - Throws: ``GraphFocusError`` for the first text that matches no node.
  /// - Complexity: O(texts * nodes + edges).
  public func focused(on focus: GraphFocus) throws(GraphFocusError) -> GraphSnapshot {
    guard !focus.texts.isEmpty else { return self }
    var starts = Set<Node.ID>()
    for text in focus.texts {
      let found = nodes(matching: GraphFocus.Target(text))
      guard !found.isEmpty else { throw GraphFocusError(text: text, candidates: focusCandidates) }
      starts.formUnion(found)
    }
    return part(around: starts, depth: focus.depth)
  }

  /// Returns the nodes of a target; none if nothing matches.
  ///
  /// - Parameter target: The target.
  /// - Complexity: O(nodes + definitions).
  public func nodes(matching target: GraphFocus.Target) -> Set<Node.ID> {
    let definitions = Dictionary(definitions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    func ids(where isMatch: (Node, Definition?) -> Bool) -> Set<Node.ID> {
      Set(nodes.filter { isMatch($0, definitions[$0.definition]) }.map(\.id))
    }
    switch target {
    case .id(let id):
      return ids { node, _ in node.id == id }
    case .line(let file, let line):
      return ids { _, definition in definition.map { $0.line == line && $0.isIn(file: file) } ?? false }
    case .file(let file):
      return ids { _, definition in definition?.isIn(file: file) ?? false }
    case .words(let words):
      let wanted = words.lowercased()
      let named = ids { node, _ in node.name?.lowercased() == wanted }
      if !named.isEmpty { return named }
      let ofKind = ids { _, definition in definition?.kind.lowercased() == wanted }
      if !ofKind.isEmpty || wanted.isEmpty { return ofKind }
      return ids { node, _ in node.name?.lowercased().contains(wanted) ?? false }
    }
  }

  /// Returns the part of the graph upstream and downstream of some nodes, with these nodes.
  ///
  /// - Parameters:
  ///   - starts: The identifiers of the nodes to start from.
  ///   - depth: The number of edges to follow, up and down; all of them if `nil`.
  /// - Complexity: O(nodes + edges).
  public func part(around starts: Set<Node.ID>, depth: Int? = nil) -> GraphSnapshot {
    let feeding = reach(from: starts, depth: depth) { ($0.target, $0.source) }
    let fed = reach(from: starts, depth: depth) { ($0.source, $0.target) }
    return part(of: feeding.union(fed))
  }

  /// Returns only these nodes, the edges between them, and their definitions.
  ///
  /// - Parameter kept: The nodes.
  /// - Complexity: O(nodes + edges).
  public func part(of kept: Set<Node.ID>) -> GraphSnapshot {
    var part = self
    part.nodes.removeAll { !kept.contains($0.id) }
    part.edges.removeAll { !kept.contains($0.source) || !kept.contains($0.target) }
    let used = Set(part.nodes.map(\.definition))
    part.definitions.removeAll { !used.contains($0.id) }
    return part
  }

  private func reach(
    from starts: Set<Node.ID>, depth: Int?, step: (Edge) -> (from: Node.ID, to: Node.ID)
  ) -> Set<Node.ID> {
    var next: [Node.ID: [Node.ID]] = [:]
    for edge in edges {
      let (from, to) = step(edge)
      next[from, default: []].append(to)
    }
    var seen = starts
    var frontier = Array(starts)
    var remaining = depth ?? Int.max
    while !frontier.isEmpty && remaining > 0 {
      remaining -= 1
      frontier = frontier.flatMap { next[$0] ?? [] }.filter { seen.insert($0).inserted }
    }
    return seen
  }

  var focusCandidates: [String] {
    let names = Set(nodes.compactMap(\.name)).sorted().prefix(4)
    let kinds = Set(definitions.map(\.kind)).sorted().prefix(4)
    let places = Set(definitions.map { "\($0.baseName):\($0.line)" }).sorted().prefix(2)
    return (Array(names) + Array(kinds) + Array(places)).map { "`\($0)`" }
  }
}

extension Definition {
  /// The file's name without its module or directories, such as `Feed.swift`.
  public var baseName: String {
    fileID.split(separator: "/").last.map(String.init) ?? fileID
  }

  fileprivate func isIn(file: String) -> Bool {
    fileID == file || baseName == file || fileID.hasSuffix("/" + file)
  }
}
