import SignalGraph

extension GraphPicture {
  /// The picture in Graphviz's language. Statements are sorted by stable ids: equal pictures give equal bytes.
  ///
  /// - Parameters:
  ///   - options: Direction, clusters, legend and links.
  ///   - graphAttributes: More attributes of the whole graph, such as `nslimit`.
  public func dot(options: DrawingOptions = DrawingOptions(), graphAttributes: [String: String] = [:]) -> String {
    let font = "Helvetica"
    let shape = shape(for: options)
    let direction = shape.direction
    var attributes = [
      "bgcolor": "white", "fontcolor": PictureStyle.text, "fontname": font, "fontsize": "11", "labeljust": "l",
      "labelloc": "t", "nodesep": "0.3", "pad": "0.25",
      "rankdir": direction == .down ? "TB" : "LR", "ranksep": "0.42", "tooltip": "Signals",
    ]
    // Packing components that have clusters makes Graphviz 2.42 read memory that it has freed.
    if !options.clustersByFile { attributes.merge(packing(columns: shape.columns)) { _, new in new } }
    attributes.merge(graphAttributes) { _, new in new }
    var lines = ["digraph signals {"]
    let list = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\(DOTText.quoted($0.value))" }
    lines.append(
      "  graph [\(list.joined(separator: ", ")),\n    label=<\(HTMLLabel.title(of: self, options: options))>];")
    lines.append(
      "  node [color=\"#0072B2\", fontcolor=\"\(PictureStyle.text)\", fontname=\"\(font)\", fontsize=\"11\","
        + " margin=\"0.09,0.05\", shape=\"box\", style=\"rounded,filled\"];")
    lines.append("  edge [arrowsize=\"0.7\", fontname=\"\(font)\", fontsize=\"9\", penwidth=\"1.2\"];")
    if options.clustersByFile {
      let files = Dictionary(grouping: boxes, by: \.fileID).sorted { $0.key < $1.key }
      for (number, (file, members)) in files.enumerated() {
        lines.append("  subgraph \"cluster_\(number)\" {")
        lines.append(
          "    graph [color=\"#B8C4CE\", fillcolor=\"#F7F9FB\", label=\(DOTText.quoted(file.displayable())),"
            + " margin=\"12\", style=\"rounded,filled\"];")
        lines += members.map { "    " + statement(for: $0, options: options) }
        lines.append("  }")
      }
    } else {
      lines += boxes.map { "  " + statement(for: $0, options: options) }
    }
    let copies = Dictionary(uniqueKeysWithValues: boxes.map { ($0.id, $0.copies) })
    let ranks = fanRanks(direction)
    lines += links.map { link in
      "  " + statement(for: link, copies: copies, ranks: ranks[link.target] ?? 1, wraps: shape.wrapping.contains(link))
    }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The direction that is drawn, and what is wrapped.
  func shape(for options: DrawingOptions) -> PictureShape {
    options.direction == .fitting ? .best(of: self) : PictureShape(of: self, options.direction)
  }

  /// Where one component is larger than the others, they are packed by shape around it, further apart than the ranks of one: what lies side by side is
  /// not to look joined. Else they stand in rows, as they do where there are so many that packing takes long.
  func packing(columns: Int) -> [String: String] {
    boxes.count <= 400 && largestComponent >= 12
      ? ["pack": "48", "packmode": "graph"] : ["pack": "64", "packmode": "array_ut\(columns)"]
  }

  private func statement(for box: Box, options: DrawingOptions) -> String {
    let paint = PictureStyle.paint(box)
    var attributes = [
      "class=\"\(paint.name)\"", "color=\"\(paint.line)\"", "fillcolor=\"\(paint.fill)\"",
      "label=<\(HTMLLabel.label(of: box, marks: marks))>",
    ]
    if paint.width != 1.2 { attributes.append("penwidth=\"\(paint.width)\"") }
    if paint.dashed { attributes.append("style=\"rounded,filled,dashed\"") }
    let tooltip = box.parts.prefix(3).flatMap {
      ["\($0.kind) \($0.site)"] + $0.details + ($0.failure.map { [$0] } ?? [])
    }
    attributes.append("tooltip=\(DOTText.quotedLines(tooltip.map { $0.displayable(limit: 160) }))")
    if let link = options.sourceLink {
      attributes.append("URL=\(DOTText.quoted(link.url(for: box.parts[0].definition)))")
    }
    return "n\(box.id) [\(attributes.joined(separator: ", "))];"
  }

  private func statement(for link: Link, copies: [UInt64: Int], ranks: Int, wraps: Bool) -> String {
    let stroke = PictureStyle.stroke(link.kind)
    let line = stroke.doubled ? "\(stroke.line):white:\(stroke.line)" : stroke.line
    var attributes = ["arrowhead=\"\(stroke.arrow)\"", "class=\"\(link.kind.rawValue)\"", "color=\"\(line)\""]
    if stroke.style != "solid" { attributes.append("style=\"\(stroke.style)\"") }
    if wraps { attributes.append("constraint=\"false\"") }
    if ranks > 1 { attributes.append("minlen=\"\(ranks)\"") }
    // The number is on the box already where every copy has one such link.
    if link.copies > 1 && link.copies != max(copies[link.source] ?? 1, copies[link.target] ?? 1) {
      attributes.append("label=\"× \(link.copies.grouped)\"")
    }
    return "n\(link.source) -> n\(link.target) [\(attributes.joined(separator: ", "))];"
  }
}

/// Quoting in Graphviz's language.
enum DOTText {
  /// A quoted string in which nothing is an escape sequence.
  static func quoted(_ text: String) -> String {
    quotedLines([text])
  }

  /// A quoted string of several lines.
  static func quotedLines(_ lines: [String]) -> String {
    let escaped = lines.map { line in
      line.displayable(limit: .max).reduce(into: "") { result, character in
        if character == "\\" || character == "\"" { result += "\\" }
        result.append(character)
      }
    }
    return "\"" + escaped.joined(separator: "\\n") + "\""
  }
}
