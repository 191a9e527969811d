/// What a user points at in a graph: a node's id, a name, a kind, or a place in the source code.
public enum GraphFocus: Hashable, Sendable {
  /// The node with this identifier, written `17` or `#17`.
  case id(UInt64)
  /// Every node written at this line, as in `Feed.swift:42` or `App/Feed.swift:42`.
  case line(file: String, line: Int)
  /// Every node of this file, as in `Feed.swift`.
  case file(String)
  /// Every node of this name; if there is none, every node of this kind; if there is none, every node whose name
  /// contains the words.
  case words(String)

  /// Understands what a user wrote.
  public init(_ text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    if let id = UInt64(digits) {
      self = .id(id)
      return
    }
    if let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]), colon > text.startIndex {
      self = .line(file: String(text[..<colon]), line: line)
    } else if text.hasSuffix(".swift") {
      self = .file(text)
    } else {
      self = .words(text)
    }
  }
}

/// Nothing in the graph is what the user pointed at.
public struct GraphFocusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the user wrote.
  public var text: String
  /// Some names, kinds and places that would have matched.
  public var candidates: [String]

  /// What was not found, and what there is instead.
  public var description: String {
    let there =
      candidates.isEmpty
      ? "The graph has no nodes." : "The graph has, for example: \(candidates.joined(separator: ", "))."
    return "No node has the id, name, kind or place `\(text)`. \(there)"
  }
}

extension GraphSnapshot {
  /// The part of the graph that feeds the nodes pointed at, and that they feed.
  ///
  /// - Parameters:
  ///   - text: A node's id, a name, a kind, or `File.swift:42`; see ``GraphFocus``.
  ///   - depth: How many edges to follow, up and down; all of them when `nil`.
  /// - Throws: ``GraphFocusError`` if nothing matches.
  /// - Complexity: O(nodes + edges).
  public func focused(on text: String, depth: Int? = nil) throws(GraphFocusError) -> GraphSnapshot {
    let starts = matches(of: GraphFocus(text))
    guard !starts.isEmpty else { throw GraphFocusError(text: text, candidates: focusCandidates) }
    let kept =
      reachable(from: starts, depth: depth, step: { ($0.source, $0.target) })
      .union(reachable(from: starts, depth: depth, step: { ($0.target, $0.source) }))
    var part = self
    part.nodes = nodes.filter { kept.contains($0.id) }
    part.edges = edges.filter { kept.contains($0.source) && kept.contains($0.target) }
    let used = Set(part.nodes.map(\.definition))
    part.definitions = definitions.filter { used.contains($0.id) }
    return part
  }

  private func matches(of focus: GraphFocus) -> Set<UInt64> {
    let places = Dictionary(definitions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    func ids(where isMatch: (Node, Definition?) -> Bool) -> Set<UInt64> {
      Set(nodes.filter { isMatch($0, places[$0.definition]) }.map(\.id))
    }
    switch focus {
    case .id(let id):
      return ids { node, _ in node.id == id }
    case .line(let file, let line):
      return ids { _, place in place.map { $0.line == line && $0.isIn(file: file) } ?? false }
    case .file(let file):
      return ids { _, place in place?.isIn(file: file) ?? false }
    case .words(let words):
      let wanted = words.lowercased()
      let named = ids { node, _ in node.name?.lowercased() == wanted }
      if !named.isEmpty { return named }
      let ofKind = ids { _, place in place?.kind.lowercased() == wanted }
      if !ofKind.isEmpty || wanted.isEmpty { return ofKind }
      return ids { node, _ in node.name?.lowercased().contains(wanted) ?? false }
    }
  }

  private var focusCandidates: [String] {
    let names = Set(nodes.compactMap(\.name)).sorted().prefix(4)
    let kinds = Set(definitions.map(\.kind)).sorted().prefix(4)
    let places = Set(definitions.map { "\($0.baseName):\($0.line)" }).sorted().prefix(2)
    return (Array(names) + Array(kinds) + Array(places)).map { "`\($0)`" }
  }

  private func reachable(
    from starts: Set<UInt64>, depth: Int?, step: (Edge) -> (from: UInt64, to: UInt64)
  ) -> Set<UInt64> {
    var next: [UInt64: [UInt64]] = [:]
    for edge in edges {
      let (from, to) = step(edge)
      next[from, default: []].append(to)
    }
    var seen = starts
    var frontier = Array(starts)
    var remaining = depth ?? Int.max
    while !frontier.isEmpty && remaining > 0 {
      remaining -= 1
      var further: [UInt64] = []
      for id in frontier {
        for neighbour in next[id] ?? [] where seen.insert(neighbour).inserted { further.append(neighbour) }
      }
      frontier = further
    }
    return seen
  }
}

extension Definition {
  /// The file's name without its module or folders, such as `Feed.swift`.
  public var baseName: String {
    fileID.split(separator: "/").last.map(String.init) ?? fileID
  }

  fileprivate func isIn(file: String) -> Bool {
    fileID == file || baseName == file || fileID.hasSuffix("/" + file)
  }
}
