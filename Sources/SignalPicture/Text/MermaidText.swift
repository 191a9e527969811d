package import SignalGraph

/// A graph as a Mermaid flowchart, and whether Mermaid draws it.
package struct MermaidText {
  /// How many characters Mermaid reads, if nobody allows more: its `maxTextSize`.
  package static let largestText = 50_000
  /// How many edges Mermaid draws, if nobody allows more: its `maxEdges`.
  package static let mostEdges = 500

  package let text: String
  /// How many edges it has.
  package let edgeCount: Int

  /// With a limit of boxes in the options, it is what Mermaid draws: where that many boxes have too many links or too long names, it has fewer.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if the snapshot does not hang together.
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

  /// The same of several programs.
  ///
  /// - Throws: ``/SignalGraph/GraphSnapshotError`` if a snapshot does not hang together.
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

  /// What is more than Mermaid draws, and the setting that allows it; nil if it draws all.
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

  /// Words in which every character that Mermaid, YAML or HTML could read as syntax is an entity.
  static func words(_ text: String, limit: Int = 80) -> String {
    var before: Unicode.Scalar = " "
    return text.displayable(limit: limit).unicodeScalars.reduce(into: "") { result, scalar in
      // `$$` begins a formula, `fa:fa-` an icon, and `\n` a line, as entities too: what stands between has no width.
      if [("$", "$"), (":", "f"), ("\\", "n")].contains(where: { $0 == (before, scalar) }) { result += "#8203;" }
      if isPlain(scalar) { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
      before = scalar
    }
  }

  /// A quoted string of YAML, in which entities mean nothing.
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

  /// Letters and what has no meaning. Mermaid writes entities as `ﬂ°°60¶ß` for itself.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", ":", "_", "-", "+", "/", "(", ")", "?", "!": true
    case "ﬂ", "¶": false
    default: scalar.value > 0xA0
    }
  }
}
