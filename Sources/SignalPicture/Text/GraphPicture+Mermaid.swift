import SignalGraph

extension GraphPicture {
  /// The picture as a Mermaid flowchart. Statements are sorted by stable ids: equal pictures give equal bytes.
  ///
  /// - Parameter options: The direction, and whether files have frames.
  public func mermaid(options: DrawingOptions = DrawingOptions()) -> String {
    var lines = [
      "---", "title: \"\(Self.entities("\(process.name) (pid \(process.pid), \(nodeCount.grouped) nodes)"))\"", "---",
      "flowchart \(shape(for: options).direction == .down ? "TB" : "LR")",
    ]
    if options.clustersByFile {
      let files = Dictionary(grouping: boxes, by: \.fileID).sorted { $0.key < $1.key }
      for (number, (file, members)) in files.enumerated() {
        lines.append("  subgraph f\(number)[\"\(Self.entities(file))\"]")
        lines += members.map { "    \(statement(for: $0))" }
        lines.append("  end")
      }
    } else {
      lines += boxes.map { "  \(statement(for: $0))" }
    }
    if !marks.isEmpty || !options.headings.isEmpty {
      let headings = options.headings.prefix(20).map { "<b>\(Self.entities($0, limit: 600))</b>" }
      let list =
        headings
        + marks.enumerated().map { index, mark in
          let words = [mark.words, mark.place, mark.remedy].map { Self.entities($0, limit: 600) }
          return "<b>(\(index + 1))</b> <b>\(words[0])</b><br/>\(words[1])<br/>\(words[2])"
        }
      lines.append("  marks[\"\(list.joined(separator: "<br/><br/>"))\"]")
    }
    lines += links.map { "  n\($0.source) \(PictureStyle.stroke($0.kind).mermaid) n\($0.target)" }
    let paints = boxes.map { PictureStyle.paint($0) }
    for name in Set(paints.map(\.name)).sorted() {
      guard let paint = paints.first(where: { $0.name == name }) else { continue }
      let dashes = paint.dashed ? ",stroke-dasharray:4" : ""
      lines.append(
        "  classDef \(name) fill:\(paint.fill),stroke:\(paint.line),stroke-width:\(paint.width)px,"
          + "color:\(PictureStyle.text)\(dashes)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func statement(for box: Box) -> String {
    let paint = PictureStyle.paint(box)
    var words: [String] = []
    if !box.marks.isEmpty { words.append("<b>\(box.marks.sorted().map { "(\($0))" }.joined(separator: " "))</b>") }
    if box.copies > 1 { words.append("<b>× \(box.copies.grouped)</b>") }
    if let heading = box.heading {
      words.append("<b>\(Self.entities(heading))</b>")
    } else {
      for part in box.parts {
        words.append("<b>\(Self.entities(part.kind))</b>")
        if let name = part.name { words.append("“\(Self.entities(name))”") }
        words.append("\(Self.entities(part.site)) · \(part.valueCount.grouped)")
      }
    }
    if box.waiting > 0 { words.append("<i>\(box.waiting.grouped) waiting</i>") }
    if box.dropped > 0 { words.append("<i>\(box.dropped.grouped) dropped</i>") }
    if paint.name != "live" { words.append("<i>\(paint.name)</i>") }
    return "n\(box.id)[\"\(words.joined(separator: "<br/>"))\"]:::\(paint.name)"
  }

  /// Words in which every character that Mermaid, YAML or HTML could read as syntax is an entity.
  private static func entities(_ text: String, limit: Int = 80) -> String {
    text.displayable(limit: limit).unicodeScalars.reduce(into: "") { result, scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " .,:_-+/()?!…×·".unicodeScalars.contains(scalar)
      if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
    }
  }
}
