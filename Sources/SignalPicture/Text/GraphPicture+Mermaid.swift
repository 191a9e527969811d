import SignalGraph

extension GraphPicture {
  /// Returns the drawing as a Mermaid flowchart. Statements are sorted by stable ids: equal drawings give equal bytes.
  ///
  /// It may exceed Mermaid's limits: `mermaid(options:)` of a snapshot reduces detail in that case.
  ///
  /// - Parameter options: The direction, and whether files have clusters.
  package func mermaid(options: DrawingOptions = DrawingOptions()) -> String {
    mermaid(options: options, wordLimit: 600).text
  }

  /// - Parameter wordLimit: The maximum number of characters of a heading, a name or a part of a callout.
  /// - Returns: The text, and the number of its edges, including invisible ones.
  func mermaid(options: DrawingOptions, wordLimit: Int) -> (text: String, edgeCount: Int) {
    let shape = shape(for: options)
    let said = list(options, wordLimit: wordLimit)
    let name = process.name.displayable(limit: 60)
    let counts = counts(options)
    var lines = [
      "---", "title: \(MermaidText.quoted("\(name) · \(counts)", limit: 400))",
      // By default it breaks lines after about 25 characters.
      "config:", "  flowchart:", "    wrappingWidth: 360", "---",
      "flowchart \(shape.direction == .down ? "TB" : "LR")",
      "  accTitle: \(MermaidText.words("Signals of \(name)", limit: 80))",
      "  accDescr: \(MermaidText.words(counts, limit: 400))",
    ]
    let (frames, free) = frames(options)
    for frame in frames { lines += frame.mermaid { statement(for: $0, wordLimit) } }
    lines += free.map { "  \(statement(for: $0, wordLimit))" }
    lines += said.enumerated().map { "  m\($0)[\"\($1)\"]:::said" }
    let hidden = (programs?.guides ?? []).map { "  n\($0.source) ~~~ n\($0.target)" }
    let grid =
      options.clustersByFile || programs != nil ? nil : MermaidGrid(self, shape, marks: said.indices.map { "m\($0)" })
    let copies = Dictionary(uniqueKeysWithValues: boxes.map { ($0.id, $0.copies) })
    lines += links.map { link in
      // If every copy has one such link, the number is on the box already.
      let isToldByBox = link.copies == max(copies[link.source] ?? 1, copies[link.target] ?? 1)
      let number = link.copies > 1 && !isToldByBox ? "× \(link.copies.grouped)" : nil
      return
        "  n\(link.source) \(PictureStyle.stroke(link).mermaid(link.channel.map(mermaidWords) ?? number)) n\(link.target)"
    }
    lines += (grid?.statements ?? []) + hidden
    let paints = boxes.map { PictureStyle.paint($0) }
    for name in Set(paints.map(\.name)).sorted() {
      guard let paint = paints.first(where: { $0.name == name }) else { continue }
      let dashes = paint.dashed ? ",stroke-dasharray:4" : ""
      lines.append(
        "  classDef \(name) fill:\(paint.fill),stroke:\(paint.line),stroke-width:\(paint.width)px,"
          + "color:\(PictureStyle.text)\(dashes)")
    }
    if !said.isEmpty { lines.append("  classDef said fill:none,stroke:none,text-align:left") }
    return (lines.joined(separator: "\n") + "\n", links.count + (grid?.statements.count ?? 0) + hidden.count)
  }

  /// The headings and the callouts, each with a box of its own.
  private func list(_ options: DrawingOptions, wordLimit: Int) -> [String] {
    let notice = options.notice.map { ["<b>\(MermaidText.words($0.words, limit: 200))</b>"] } ?? []
    let headings = options.headings.prefix(20).map { "<b>\(MermaidText.words($0, limit: wordLimit))</b>" }
    return notice + headings
      + marks.enumerated().map { index, mark in
        let words = [mark.words, mark.place, mark.remedy].map { MermaidText.words($0, limit: wordLimit) }
        return "<b>(\(index + 1)) \(words[0])</b>"
          + words.dropFirst().filter { !$0.isEmpty }.map { "<br/>\($0)" }.joined()
      }
  }

  private func statement(for box: Box, _ wordLimit: Int) -> String {
    if box.isChannel { return "n\(box.id)([\"<b>\(MermaidText.words(box.heading ?? ""))</b>\"]):::channel" }
    let paint = PictureStyle.paint(box)
    var words: [String] = []
    if !box.marks.isEmpty { words.append("<b>\(box.marks.sorted().map { "(\($0))" }.joined(separator: " "))</b>") }
    if box.copies > 1 { words.append("<b>× \(box.copies.grouped)</b>") }
    if let heading = box.heading {
      words.append("<b>\(MermaidText.words(heading, limit: min(80, wordLimit)))</b>")
    } else {
      for entry in box.listedParts {
        guard case .part(let part) = entry else {
          if case .gap(let count) = entry { words.append("… \(count.grouped) more …") }
          continue
        }
        words.append("<b>\(MermaidText.words(part.kind, limit: min(80, wordLimit)))</b>")
        if let name = part.name { words.append("“\(MermaidText.words(name, limit: min(48, wordLimit)))”") }
        words.append("\(MermaidText.words(part.site, limit: min(80, wordLimit))) · \(part.valueCount.grouped)")
      }
    }
    if box.waiting > 0 { words.append("<i>\(box.waiting.grouped) waiting</i>") }
    if box.dropped > 0 { words.append("<i>\(box.dropped.grouped) dropped</i>") }
    if box.parts.contains(where: \.isConsumerBusy) { words.append("<i>consumer busy</i>") }
    words += box.channelWords.map { "<i>\(MermaidText.words($0, limit: 100))</i>" }
    if paint.name != "live" { words.append("<i>\(paint.name)</i>") }
    return "n\(box.id)[\"\(words.joined(separator: "<br/>"))\"]:::\(paint.name)"
  }
}
