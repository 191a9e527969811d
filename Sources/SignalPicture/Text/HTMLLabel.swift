import SignalGraph

/// Graphviz's HTML-like labels: the text in a box, and the heading with the legend.
enum HTMLLabel {
  /// Returns the label of a box.
  static func label(
    of box: GraphPicture.Box, marks: [PictureMark] = [], schedulers: SchedulerWords = SchedulerWords(of: [])
  ) -> String {
    if box.isChannel, let name = box.heading { return label(ofChannel: name) }
    var rows: [String] = []
    if !box.marks.isEmpty { rows.append(MarkLabel.row(box.marks, of: marks)) }
    let copies = box.copies > 1 ? "× \(box.copies.grouped)" : ""
    if let heading = box.heading {
      rows.append(row(bold(heading), faint(box.parts[0].values(as: "value"))))
    } else if box.parts.count == 1 {
      let scheduler = box.parts[0].scheduler.map { faint("on \(schedulers[$0].displayable(limit: 32))") } ?? ""
      rows.append(row(bold(box.parts[0].kind), copies.isEmpty ? scheduler : bold(copies)))
      if let name = box.parts[0].name { rows.append(wideRow(escaped("“\(name.displayable(limit: 48))”"))) }
      rows.append(row(faint(box.parts[0].site), faint(box.parts[0].values)))
    } else {
      if !copies.isEmpty { rows.append(wideRow(bold(copies))) }
      for entry in box.listedParts {
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

  /// Returns the heading of the drawing: process and counts, the steps that reduced the drawing, and the styles that
  /// occur.
  static func title(of picture: GraphPicture, options: DrawingOptions) -> String {
    let process = picture.process
    let counts = picture.counts(options)
    let name = "<FONT POINT-SIZE=\"17\"><B>\(escaped(process.name.displayable(limit: 60)))</B></FONT>"
    var rows =
      "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">\(name)  <FONT COLOR=\"\(PictureStyle.faintText)\">\(escaped(counts))</FONT></TD></TR>"
    if let notice = options.notice {
      let words = escaped(notice.words.displayable(limit: 200))
      rows +=
        "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\"><FONT POINT-SIZE=\"\(notice.points)\" COLOR=\"\(PictureStyle.mark(isError: false))\"><B>\(words)</B></FONT></TD></TR>"
    }
    if options.showsLegend && !picture.boxes.isEmpty {
      // The second column takes the remaining space, so that the legend is not stretched.
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
    let chips = paints.map { paint in
      FixedCell(
        width: FixedCell.width(of: paint.name) + 4, align: "CENTER",
        attributes: "BORDER=\"\(paint.width >= 2 ? 2 : 1)\" COLOR=\"\(paint.line)\" BGCOLOR=\"\(paint.fill)\""
          + (paint.dashed ? " STYLE=\"dashed\"" : ""),
        content: "<FONT POINT-SIZE=\"9\">\(paint.name)</FONT>")
    }
    let lines = picture.strokes.flatMap { stroke in
      let style = stroke.style == "solid" ? "" : " STYLE=\"\(stroke.style)\""
      let line =
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR>"
        + "<TD WIDTH=\"26\" HEIGHT=\"4\" FIXEDSIZE=\"TRUE\" BORDER=\"1\" SIDES=\"\(stroke.doubled ? "TB" : "T")\""
        + " COLOR=\"\(stroke.line)\"\(style)></TD></TR></TABLE>"
      return [
        FixedCell(width: 30, align: "CENTER", content: line),
        FixedCell(
          width: FixedCell.width(of: stroke.meaning), align: "LEFT",
          content: "<FONT POINT-SIZE=\"9\">\(stroke.meaning)</FONT>"),
      ]
    }
    return FixedCell.table(chips + lines, height: 19, spacing: 4)
  }

  private static func badges(of box: GraphPicture.Box, failure: String?) -> [(words: String, colour: String)] {
    var badges: [(words: String, colour: String)] = []
    if box.findings.contains(.leaked) {
      badges.append(("LEAKED", PictureStyle.paint(.live, [.leaked]).line))
    }
    if box.waiting > 0 { badges.append(("\(box.waiting.grouped) waiting", PictureStyle.warning)) }
    if box.dropped > 0 { badges.append(("\(box.dropped.grouped) dropped", PictureStyle.warning)) }
    if box.parts.contains(where: \.isConsumerBusy) { badges.append(("consumer busy", PictureStyle.warning)) }
    if box.findings.contains(.hot) { badges.append(("hot", PictureStyle.warning)) }
    if box.findings.contains(.idle) { badges.append(("idle", PictureStyle.faintText)) }
    badges += box.channelWords.map { ($0, PictureStyle.channel.line) }
    if let change = box.change { badges.append((change.rawValue, PictureStyle.paint(box).line)) }
    switch box.state {
    case .live: break
    case .failed:
      badges.append((failure.map { "failed: \($0)" } ?? "failed", PictureStyle.warning))
    case .finished, .disposed: badges.append((box.state.rawValue, PictureStyle.faintText))
    }
    return badges
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

  /// The text with characters escaped that are special in XML or in Graphviz's `\N`-like sequences; never empty, as
  /// libgraphviz rejects font elements without text.
  static func escaped(_ text: String) -> String {
    guard !text.isEmpty else { return " " }
    return XMLText.escaped(text).unicodeScalars.reduce(into: "") { result, scalar in
      result.unicodeScalars.append(scalar)
      if scalar == "\\" { result += "\\" }
    }
  }
}
