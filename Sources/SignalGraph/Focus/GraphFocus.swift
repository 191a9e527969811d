/// The part of a graph to show: selected nodes, with everything upstream and downstream.
public struct GraphFocus: Hashable, Sendable {
  /// The targets as entered by the user; see ``Target``. The whole graph if empty.
  public var texts: [String]
  /// The number of edges to follow, up and down; all of them if `nil`.
  public var depth: Int?

  /// Creates a focus; without arguments it is the whole graph.
  ///
  /// - Parameters:
  ///   - texts: The targets as entered by the user: ids, names, kinds, locations.
  ///   - depth: The number of edges to follow, up and down; all of them if `nil`.
  public init(_ texts: [String] = [], depth: Int? = nil) {
    self.texts = texts
    self.depth = depth
  }

  /// Creates a focus with one target.
  ///
  /// ```swift
  /// func aroundTheSearch(in snapshot: GraphSnapshot) throws -> GraphSnapshot {
  ///   try snapshot.focused(on: GraphFocus("search text", depth: 2))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - text: A node's id, a name, a kind, or `File.swift:42`.
  ///   - depth: The number of edges to follow, up and down; all of them if `nil`.
  public init(_ text: String, depth: Int? = nil) {
    self.init([text], depth: depth)
  }
}

extension GraphFocus {
  /// The target of a text: a node's id, a name, a kind, or a source location.
  public enum Target: Hashable, Sendable {
    /// The node with this identifier, written `17` or `#17`.
    case id(Node.ID)
    /// Every node declared at this line, as in `Feed.swift:42` or `App/Feed.swift:42`.
    case line(file: String, line: Int)
    /// Every node of this file, as in `Feed.swift`.
    case file(String)
    /// Every node of this name; if there is none, every node of this kind; if there is none, every node whose name
    /// contains the text. Case is ignored.
    case words(String)

    /// Parses a user's text.
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

/// No node matches the user's text.
public struct GraphFocusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The user's text.
  public var text: String
  /// Some names, kinds and locations that would have matched.
  public var candidates: [String]

  /// The text that was not found, and the candidates.
  public var description: String {
    let there =
      candidates.isEmpty
      ? "The graph has no nodes." : "The graph has, for example: \(candidates.joined(separator: ", "))."
    return "No node has the id, name, kind or place `\(text)`. \(there)"
  }
}
