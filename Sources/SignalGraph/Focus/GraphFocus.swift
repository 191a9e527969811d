/// What somebody wants to see of a graph: the nodes that they point at, with what feeds them and what they feed.
public struct GraphFocus: Hashable, Sendable {
  /// What is pointed at, as the user wrote it; see ``Target``. The whole graph when there is nothing.
  public var texts: [String]
  /// How many edges are followed from there, up and down; all of them when `nil`.
  public var depth: Int?

  /// Makes a focus; without arguments it is the whole graph.
  ///
  /// - Parameters:
  ///   - texts: What is pointed at, as the user wrote it: ids, names, kinds, places.
  ///   - depth: How many edges are followed from there, up and down; all of them when `nil`.
  public init(_ texts: [String] = [], depth: Int? = nil) {
    self.texts = texts
    self.depth = depth
  }

  /// Makes a focus of one text.
  ///
  /// ```swift
  /// func aroundTheSearch(in snapshot: GraphSnapshot) throws -> GraphSnapshot {
  ///   try snapshot.focused(on: GraphFocus("search text", depth: 2))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - text: A node's id, a name, a kind, or `File.swift:42`.
  ///   - depth: How many edges are followed from there, up and down; all of them when `nil`.
  public init(_ text: String, depth: Int? = nil) {
    self.init([text], depth: depth)
  }
}

extension GraphFocus {
  /// What one text points at: a node's id, a name, a kind, or a place in the source code.
  public enum Target: Hashable, Sendable {
    /// The node with this identifier, written `17` or `#17`.
    case id(Node.ID)
    /// Every node written at this line, as in `Feed.swift:42` or `App/Feed.swift:42`.
    case line(file: String, line: Int)
    /// Every node of this file, as in `Feed.swift`.
    case file(String)
    /// Every node of this name; if there is none, every node of this kind; if there is none, every node whose name
    /// contains the words. Capitals do not count.
    case words(String)

    /// Understands what a user wrote.
    ///
    /// - Parameter text: A node's id, a name, a kind, or `File.swift:42`.
    public init(_ text: String) {
      let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
      if let id = Node.ID(digits) {
        self = .id(id)
        return
      }
      if let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]), colon > text.startIndex
      {
        self = .line(file: String(text[..<colon]), line: line)
      } else if text.hasSuffix(".swift") {
        self = .file(text)
      } else {
        self = .words(text)
      }
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
