import SignalGraph

extension GraphPicture {
  /// Returns the drawing in Graphviz's DOT language. Statements are sorted by stable ids: equal drawings give equal
  /// bytes.
  ///
  /// - Parameters:
  ///   - options: The direction, clusters, legend and links.
  ///   - graphAttributes: Further attributes of the whole graph, such as `nslimit`.
  package func dot(options: DrawingOptions = DrawingOptions(), graphAttributes: [String: String] = [:]) -> String {
    let font = "Helvetica"
    let shape = shape(for: options)
    let direction = shape.direction
    var attributes = [
      "bgcolor": "white", "fontcolor": PictureStyle.text, "fontname": font, "fontsize": "11", "id": "graph",
      "labeljust": "l", "labelloc": "t", "nodesep": nodeGap(direction), "pad": "0.25",
      "rankdir": direction == .down ? "TB" : "LR", "ranksep": "0.42", "tooltip": "Signals",
    ]
    if programs != nil { attributes["newrank"] = "true" }
    // Packing components that have clusters makes Graphviz 2.42 read freed memory.
    if !options.clustersByFile, programs == nil { attributes.merge(packing(columns: shape.columns)) { _, new in new } }
    attributes.merge(graphAttributes) { _, new in new }
    var lines = ["digraph signals {"]
    let list = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\(DOTText.quoted($0.value))" }
    lines.append(
      "  graph [\(list.joined(separator: ", ")),\n    label=<\(HTMLLabel.title(of: self, options: options))>];")
    lines.append(
      "  node [color=\"#0072B2\", fontcolor=\"\(PictureStyle.text)\", fontname=\"\(font)\", fontsize=\"11\","
        + " margin=\"0.09,0.05\", shape=\"box\", style=\"rounded,filled\"];")
    lines.append(
      "  edge [arrowsize=\"0.7\", fontcolor=\"\(PictureStyle.text)\", fontname=\"\(font)\", fontsize=\"9\", penwidth=\"1.2\"];"
    )
    let schedulers = schedulers
    let (frames, free) = frames(options)
    var number = 0
    for frame in frames { lines += frame.dot(&number) { statement(for: $0, options: options, schedulers) } }
    lines += free.map { "  " + statement(for: $0, options: options, schedulers) }
    let copies = Dictionary(uniqueKeysWithValues: boxes.map { ($0.id, $0.copies) })
    let ranks = fanRanks(direction)
    let wrapping = programs?.loose ?? shape.wrapping
    lines += links.map { link in
      "  " + statement(for: link, copies: copies, rank: ranks[link.target], wraps: wrapping.contains(link))
    }
    lines += (programs?.guides ?? []).map { "  n\($0.source) -> n\($0.target) [style=\"invis\"];" }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The direction of the drawing, and its wrapped components.
  func shape(for options: DrawingOptions) -> PictureShape {
    if let programs { return PictureShape(of: self, programs.direction) }
    return options.direction == .fitting ? .best(of: self) : PictureShape(of: self, options.direction)
  }

  /// A component larger than the others has them packed around it by shape, at more than the distance of ranks, so that
  /// neighbours do not look connected. Otherwise components are arranged in rows, as in large drawings, for which
  /// packing takes long.
  func packing(columns: Int) -> [String: String] {
    boxes.count <= 400 && largestComponent >= 12
      ? ["pack": "48", "packmode": "graph"] : ["pack": "64", "packmode": "array_ut\(columns)"]
  }

  private func statement(for box: Box, options: DrawingOptions, _ schedulers: SchedulerWords) -> String {
    let paint = PictureStyle.paint(box)
    var attributes = [
      "class=\"\(paint.name)\"", "color=\"\(paint.line)\"", "fillcolor=\"\(paint.fill)\"",
      "id=\"\(box.elementID)\"", "label=<\(HTMLLabel.label(of: box, marks: marks, schedulers: schedulers))>",
    ]
    if box.isChannel { attributes.append("shape=\"ellipse\"") }
    if paint.width != 1.2 { attributes.append("penwidth=\"\(paint.width)\"") }
    if paint.dashed { attributes.append("style=\"rounded,filled,dashed\"") }
    let tooltip = box.parts.prefix(3).flatMap {
      ["\($0.kind) \($0.site)"] + $0.details + ($0.failure.map { [$0] } ?? [])
    }
    attributes.append("tooltip=\(DOTText.quotedLines(tooltip.map { $0.displayable(limit: 160) }))")
    // A box of locations in several files links to none of them.
    if box.heading == nil, let url = options.sourceLink?.url(for: box.parts[0].definition) {
      attributes.append("URL=\(DOTText.quotedAddress(url))")
    }
    return "n\(box.id) [\(attributes.joined(separator: ", "))];"
  }

  private func statement(for link: Link, copies: [UInt64: Int], rank: Int?, wraps: Bool) -> String {
    let stroke = PictureStyle.stroke(link)
    let line = stroke.doubled ? "\(stroke.line):white:\(stroke.line)" : stroke.line
    var attributes = [
      "arrowhead=\"\(stroke.arrow)\"", "class=\"\(link.kindName)\"", "color=\"\(line)\"",
      "id=\"\(link.elementID)\"",
    ]
    if stroke.style != "solid" { attributes.append("style=\"\(stroke.style)\"") }
    if wraps { attributes.append("constraint=\"false\"") }
    if let rank, rank > 1 { attributes.append("minlen=\"\(rank)\"") }
    if let width = stroke.width { attributes.append("penwidth=\"\(width)\"") }
    if let channel = link.channel, !isChannel(link.source), !isChannel(link.target) {
      attributes += ["fontcolor=\"\(stroke.line)\"", "label=\(DOTText.quoted(channel.name.displayable(limit: 40)))"]
    }
    // If every copy has one such link, the number is on the box already.
    let isNumbered = link.copies > 1 && link.copies != max(copies[link.source] ?? 1, copies[link.target] ?? 1)
    if isNumbered, links.count <= Self.labelledLinks {
      // In a large fan-out a number between the boxes would take more space than they do.
      attributes.append("\(rank == nil ? "label" : "headlabel")=\"× \(link.copies.grouped)\"")
    } else if isNumbered, stroke.width == nil {
      attributes.append("penwidth=\"\(link.strokeWidth)\"")
    }
    return "n\(link.source) -> n\(link.target) [\(attributes.joined(separator: ", "))];"
  }
}

/// Quoting in DOT.
enum DOTText {
  /// A quoted string in which nothing is an escape sequence or an entity.
  static func quoted(_ text: String) -> String {
    quotedLines([text])
  }

  /// A quoted string of several lines.
  static func quotedLines(_ lines: [String]) -> String {
    "\"" + lines.map { escaped($0, isEscapedForXML: false) }.joined(separator: "\\n") + "\""
  }

  /// A quoted address, in which ampersands are entities already.
  static func quotedAddress(_ address: String) -> String {
    "\"" + escaped(address, isEscapedForXML: true) + "\""
  }

  private static func escaped(_ text: String, isEscapedForXML: Bool) -> String {
    // By scalars: a mark after a quotation mark forms another character with it.
    text.displayable(limit: .max).unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "\\" || scalar == "\"" { result += "\\" }
      result.unicodeScalars.append(scalar)
      // libgraphviz decodes any entity, even those that XML does not have.
      if scalar == "&", !isEscapedForXML { result += "amp;" }
    }
  }
}
