package import SignalGraph

/// A graph as a Mermaid flowchart, with a check of Mermaid's limits.
package struct MermaidText {
  /// The maximum number of characters that Mermaid reads by default: its `maxTextSize`.
  package static let largestText = 50_000
  /// The maximum number of edges that Mermaid draws by default: its `maxEdges`.
  package static let mostEdges = 500

  package let text: String
  /// The number of edges.
  package let edgeCount: Int

  /// Creates a flowchart. With a limit of boxes in the options it is within Mermaid's limits: if that many boxes have
  /// too many links or too long names, it has fewer.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot is inconsistent.
  package init(of snapshot: GraphSnapshot, options: DrawingOptions) throws(GraphSnapshotError) {
    var whole = options
    whole.boxLimit = nil
    let picture = try GraphPicture(of: snapshot, options: whole)
    guard let limit = options.boxLimit else {
      self.init(picture, options, wordLimit: 600)
      return
    }
    for (boxes, words) in [(limit, 600), (limit, 200), (limit / 2, 200), (limit / 4, 100), (limit / 8, 60)] {
      let text = MermaidText(picture, limit: boxes, options, wordLimit: words)
      if text.excess == nil {
        self = text
        return
      }
    }
    self.init(picture, limit: 4, options, wordLimit: 30)
  }

  /// Creates the same for several programs.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if a snapshot is inconsistent.
  package init(of snapshots: [GraphSnapshot], options: DrawingOptions) throws(GraphSnapshotError) {
    var whole = options
    whole.boxLimit = nil
    let pictures = try ProgramPictures(of: snapshots, options: whole)
    guard let limit = options.boxLimit else {
      self.init(pictures.picture, options, wordLimit: 600)
      return
    }
    var text = MermaidText(pictures.picture(limit: limit), options, wordLimit: 600)
    for boxes in [limit / 2, limit / 4, limit / 8] where text.excess != nil {
      text = MermaidText(pictures.picture(limit: boxes), options, wordLimit: 100)
    }
    self = text
  }

  private init(_ picture: GraphPicture, limit: Int, _ options: DrawingOptions, wordLimit: Int) {
    var picture = picture
    picture.reduce(to: max(1, limit))
    self.init(picture, options, wordLimit: wordLimit)
  }

  private init(_ picture: GraphPicture, _ options: DrawingOptions, wordLimit: Int) {
    (text, edgeCount) = picture.mermaid(options: options, wordLimit: wordLimit)
  }

  /// A description of exceeded limits, and the setting that raises them; nil if there are none.
  package var excess: String? {
    let length = text.utf16.count
    var (found, settings): ([String], [String]) = ([], [])
    if length > Self.largestText {
      found.append("\(length.grouped) characters, of \(Self.largestText.grouped)")
      settings.append("maxTextSize: \(length)")
    }
    if edgeCount > Self.mostEdges {
      found.append("\(edgeCount.grouped) edges, of \(Self.mostEdges.grouped)")
      settings.append("maxEdges: \(edgeCount)")
    }
    guard !found.isEmpty else { return nil }
    return
      "\(found.joined(separator: ", and ")) that Mermaid draws unless `mermaid.initialize({\(settings.joined(separator: ", "))})` allows more"
  }

  /// Returns a text in which every character that Mermaid, YAML or HTML could read as syntax is an entity.
  static func words(_ text: String, limit: Int = 80) -> String {
    var before: Unicode.Scalar = " "
    return text.displayable(limit: limit).unicodeScalars.reduce(into: "") { result, scalar in
      // `$$` begins a formula, `fa:fa-` an icon, and `\n` a line, even as entities: a character without width separates
      // them.
      if [("$", "$"), (":", "f"), ("\\", "n")].contains(where: { $0 == (before, scalar) }) { result += "#8203;" }
      if isPlain(scalar) { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
      before = scalar
    }
  }

  /// Returns a quoted YAML string, in which entities have no meaning.
  static func quoted(_ text: String, limit: Int) -> String {
    text.displayable(limit: limit).unicodeScalars.reduce(into: "\"") { result, scalar in
      if isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    } + "\""
  }

  /// Whether a character has no special meaning. Mermaid writes entities as `ﬂ°°60¶ß` internally.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", ":", "_", "-", "+", "/", "(", ")", "?", "!": true
    case "ﬂ", "¶": false
    default: scalar.value > 0xA0
    }
  }
}
