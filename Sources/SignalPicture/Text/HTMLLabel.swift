import SignalGraph

/// Graphviz's HTML-like labels: the words in a box, and the heading with the legend.
enum HTMLLabel {
  /// At most this many operators of a folded run are listed.
  private static let listedParts = 6

  /// The words in a box.
  static func label(of box: GraphPicture.Box, marks: [PictureMark] = []) -> String {
    var rows: [String] = []
    if !box.marks.isEmpty { rows.append(MarkLabel.row(box.marks, of: marks)) }
    let copies = box.copies > 1 ? "× \(box.copies.grouped)" : ""
    if let heading = box.heading {
      rows.append(row(bold(heading), faint(box.parts[0].values)))
    } else if box.parts.count == 1 {
      let scheduler = box.parts[0].scheduler.map { faint("on \($0.displayable(limit: 32))") } ?? ""
      rows.append(row(bold(box.parts[0].kind), copies.isEmpty ? scheduler : bold(copies)))
      if let name = box.parts[0].name { rows.append(wideRow(escaped("“\(name.displayable(limit: 48))”"))) }
      rows.append(row(faint(box.parts[0].site), faint(box.parts[0].values)))
    } else {
      if !copies.isEmpty { rows.append(wideRow(bold(copies))) }
      for entry in listed(box.parts) {
        switch entry {
        case .gap(let count): rows.append(wideRow(faint("… \(count.grouped) more …")))
        case .part(let part):
          let name = part.name.map { " " + escaped("“\($0.displayable(limit: 24))”") } ?? ""
          rows.append(row(bold(part.kind) + name, faint("\(part.site) · \(part.valueCount.grouped)")))
        }
      }
    }
    if let value = box.parts.last(where: { $0.lastValue != nil })?.lastValue, box.heading == nil {
      rows.append(wideRow(faint("last value \(value.displayable(limit: 40))")))
    }
    let failure = box.parts.compactMap(\.failure).first
    rows += badges(of: box, failure: failure).map { badge in
      let words = escaped(badge.words.displayable(limit: 60))
      return wideRow("<FONT COLOR=\"\(badge.colour)\" POINT-SIZE=\"9\"><B>\(words)</B></FONT>")
    }
    return table(rows.joined())
  }

  /// The heading of the picture: process and counts, what was done to the picture, and the looks that occur.
  static func title(of picture: GraphPicture, options: DrawingOptions) -> String {
    let process = picture.process
    var counts = "pid \(process.pid) · \(picture.nodeCount.grouped) node\(picture.nodeCount == 1 ? "" : "s")"
    if picture.boxes.count != picture.nodeCount {
      counts += " in \(picture.boxes.count.grouped) box\(picture.boxes.count == 1 ? "" : "es")"
    }
    if !picture.notes.isEmpty { counts += " (\(picture.notes.joined(separator: ", ")))" }
    let name = "<FONT POINT-SIZE=\"17\"><B>\(escaped(process.name.displayable(limit: 60)))</B></FONT>"
    var rows =
      "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">\(name)  <FONT COLOR=\"\(PictureStyle.faintText)\">\(escaped(counts))</FONT></TD></TR>"
    if let notice = options.notice {
      let words = escaped(notice.words.displayable(limit: 200))
      rows +=
        "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\"><FONT POINT-SIZE=\"\(notice.points)\" COLOR=\"\(PictureStyle.mark(isError: false))\"><B>\(words)</B></FONT></TD></TR>"
    }
    if options.showsLegend && !picture.boxes.isEmpty {
      // The second column takes the room that is left: the legend is not stretched.
      rows += "<TR><TD ALIGN=\"LEFT\">\(legend(of: picture))</TD><TD></TD></TR>"
    }
    for heading in options.headings.prefix(20) {
      let lines = MarkLabel.lines(heading).map { "<B>\(escaped($0))</B><BR ALIGN=\"LEFT\"/>" }.joined()
      rows += "<TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\" COLSPAN=\"2\">\(lines)</TD></TR>"
    }
    if !picture.marks.isEmpty {
      rows += "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">\(MarkLabel.list(of: picture.marks))</TD></TR>"
    }
    rows += "<TR><TD COLSPAN=\"2\" HEIGHT=\"8\"></TD></TR>"
    return "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">\(rows)</TABLE>"
  }

  private static func legend(of picture: GraphPicture) -> String {
    var paints: [PictureStyle.Paint] = []
    let order = picture.boxes.map { PictureStyle.paint($0) }
    for name in ["live", "new", "gone", "finished", "failed", "disposed", "leaked"] {
      if let paint = order.first(where: { $0.name == name }) { paints.append(paint) }
    }
    var cells = paints.map { paint in
      let style = paint.dashed ? " STYLE=\"dashed\"" : ""
      return "<TD BORDER=\"\(paint.width >= 2 ? 2 : 1)\" COLOR=\"\(paint.line)\" BGCOLOR=\"\(paint.fill)\"\(style)>"
        + "<FONT POINT-SIZE=\"9\"> \(paint.name) </FONT></TD>"
    }
    for kind in Edge.Kind.allCases where picture.links.contains(where: { $0.kind == kind }) {
      let stroke = PictureStyle.stroke(kind)
      let sides = stroke.doubled ? "TB" : "T"
      let style = stroke.style == "solid" ? "" : " STYLE=\"\(stroke.style)\""
      let line =
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR>"
        + "<TD WIDTH=\"26\" HEIGHT=\"4\" FIXEDSIZE=\"TRUE\" BORDER=\"1\" SIDES=\"\(sides)\" COLOR=\"\(stroke.line)\"\(style)></TD>"
        + "</TR></TABLE>"
      cells.append("<TD>\(line)</TD><TD><FONT POINT-SIZE=\"9\">\(stroke.meaning)</FONT></TD>")
    }
    return
      "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"5\" CELLPADDING=\"2\"><TR>\(cells.joined())</TR></TABLE>"
  }

  private static func badges(of box: GraphPicture.Box, failure: String?) -> [(words: String, colour: String)] {
    var badges: [(words: String, colour: String)] = []
    if box.findings.contains(.leaked) {
      badges.append(("LEAKED", PictureStyle.paint(.live, [.leaked]).line))
    }
    if box.waiting > 0 { badges.append(("\(box.waiting.grouped) waiting", "#B24A00")) }
    if box.dropped > 0 { badges.append(("\(box.dropped.grouped) dropped", "#B24A00")) }
    if box.findings.contains(.hot) { badges.append(("hot", "#B24A00")) }
    if box.findings.contains(.idle) { badges.append(("idle", PictureStyle.faintText)) }
    if let change = box.change { badges.append((change.rawValue, PictureStyle.paint(box).line)) }
    switch box.state {
    case .live: break
    case .failed:
      badges.append((failure.map { "failed: \($0)" } ?? "failed", "#B24A00"))
    case .finished, .disposed: badges.append((box.state.rawValue, PictureStyle.faintText))
    }
    return badges
  }

  /// What is listed of a folded run.
  private enum Entry {
    case part(GraphPicture.Part)
    case gap(Int)
  }

  /// The parts to list, and how many are left out between them. The first, the last and those with a name come before others.
  private static func listed(_ parts: [GraphPicture.Part]) -> [Entry] {
    guard parts.count > listedParts else { return parts.map(Entry.part) }
    let wanted = [0, parts.count - 1] + parts.indices.filter { parts[$0].name != nil } + Array(parts.indices)
    var shown: Set<Int> = []
    for index in wanted where shown.count < listedParts - 1 { shown.insert(index) }
    var entries: [Entry] = []
    var missing = 0
    for (index, part) in parts.enumerated() {
      guard shown.contains(index) else {
        missing += 1
        continue
      }
      if missing > 0 { entries.append(.gap(missing)) }
      missing = 0
      entries.append(.part(part))
    }
    return entries
  }

  private static func table(_ rows: String) -> String {
    "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">\(rows)</TABLE>"
  }

  private static func row(_ left: String, _ right: String) -> String {
    right.isEmpty
      ? wideRow(left) : "<TR><TD ALIGN=\"LEFT\">\(left)</TD><TD ALIGN=\"RIGHT\">  \(right)</TD></TR>"
  }

  private static func wideRow(_ words: String) -> String {
    "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">\(words)</TD></TR>"
  }

  private static func bold(_ text: String) -> String {
    "<B>\(escaped(text.displayable(limit: 60)))</B>"
  }

  private static func faint(_ text: String) -> String {
    "<FONT COLOR=\"\(PictureStyle.faintText)\" POINT-SIZE=\"9\">\(escaped(text.displayable(limit: 80)))</FONT>"
  }

  /// Words without a special meaning for XML or for Graphviz's `\N`-like sequences.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\\": result += "\\\\"
      default: result.append(character)
      }
    }
  }
}
