/// Draws a marble diagram.
struct MarbleDrawing {
  /// The maximum number of rows; further ones are only counted.
  static let maximumRows = 24
  static let margin = 18

  struct DrawnRow {
    enum Content {
      case line(MarblePicture.Line, [MarbleSlot: MarbleGroup])
      /// Consecutive subscriptions.
      case subscriptions([MarblePicture.Span])
      case box(String)
    }

    var content: Content
    var name: String
    /// The code of a box, by line.
    var code: [String] = []
    var height = 0
    var stretches: [Stretch] = []
  }

  /// The extent of a line.
  struct Stretch {
    enum End {
      /// The signal's own termination.
      case over
      /// The subscriber unsubscribed.
      case left
      /// The end of a subscription.
      case unsubscribed
    }

    var begin: MarbleSlot
    /// The end; nil if the line continues.
    var end: MarbleSlot?
    var way = End.over
    var style = "line"
  }

  let picture: MarblePicture
  let options: MarbleDrawingOptions
  private(set) var rows: [DrawnRow]
  private(set) var timeline: MarbleTimeline
  private(set) var width = 0
  /// The height, once it is drawn.
  private(set) var height = 0
  let nameWidth: Int
  var colours = MarbleColours()
  var canvas = MarbleCanvas()

  init(_ picture: MarblePicture, options: MarbleDrawingOptions) {
    self.picture = picture
    self.options = options
    let maximumWidth = max(320, options.maximumWidth)
    let window = MarbleWindow(picture.rows.prefix(Self.maximumRows), excerpt: picture.excerpt)
    let drawn = Self.rows(
      picture.rows.prefix(Self.maximumRows), in: window, max(1, options.maximumNameLength))
    let widest = drawn.map { MarbleLabel.width($0.name, size: 13) }.max() ?? 0
    nameWidth = widest == 0 ? 0 : widest + 12
    let lines = drawn.map { row -> [MarbleSlot: MarbleGroup] in
      if case .line(_, let groups) = row.content { return groups }
      return [:]
    }
    timeline = MarbleTimeline(
      groups: lines, others: Self.times(picture).filter { window.contains(MarbleSlot(nanoseconds: $0)) },
      frame: picture.frame,
      available: maximumWidth - 2 * Self.margin - nameWidth, maximumBands: max(1, options.maximumBands))
    timeline.addOmitted(before: window.omittedBefore, after: window.omittedAfter)
    rows = drawn
    findEnds()
    arrange(maximumWidth)
  }

  /// Creates the rows; consecutive subscriptions of one name share a row.
  private static func rows(
    _ rows: ArraySlice<MarblePicture.Row>, in window: MarbleWindow, _ nameLength: Int
  ) -> [DrawnRow] {
    var result: [DrawnRow] = []
    for row in rows {
      if case .subscription(let span) = row, let last = result.last, case .subscriptions(var spans) = last.content,
        spans[0].name == span.name, let end = spans[spans.count - 1].unsubscribed, end <= span.subscribed
      {
        spans.append(span)
        result[result.count - 1].content = .subscriptions(spans)
      } else {
        result.append(Self.row(row, in: window, nameLength))
      }
    }
    return result
  }

  private static func row(
    _ row: MarblePicture.Row, in window: MarbleWindow, _ nameLength: Int
  ) -> DrawnRow {
    switch row {
    case .line(let line):
      var moments: [MarbleSlot: [MarblePicture.Moment]] = [:]
      for moment in line.moments where !moment.events.isEmpty && window.contains(moment.slot) {
        moments[moment.slot, default: []].append(moment)
      }
      let groups = moments.mapValues { list in
        MarbleGroup(list.flatMap(\.events), isUnordered: list.contains(where: \.isUnordered))
      }
      return DrawnRow(content: .line(line, groups), name: MarbleLabel.shown(line.name, limit: nameLength))
    case .subscription(let span):
      return DrawnRow(content: .subscriptions([span]), name: MarbleLabel.shown(span.name, limit: nameLength))
    case .box(let text): return DrawnRow(content: .box(text), name: "")
    }
  }

  /// The instants at which something other than events is drawn.
  private static func times(_ picture: MarblePicture) -> [Int64] {
    var times: [Int64] = picture.end.map { [$0] } ?? []
    for row in picture.rows.prefix(maximumRows) {
      switch row {
      case .line(let line): times += [line.begin] + (line.left.map { [$0] } ?? [])
      case .subscription(let span): times += [span.subscribed] + (span.unsubscribed.map { [$0] } ?? [])
      case .box: break
      }
    }
    return times.isEmpty ? [0] : times
  }

  /// Determines the extent of lines: a line begins at its time, or with an event before it; that of a nested signal
  /// begins with its value.
  private mutating func findEnds() {
    var parent: [MarbleSlot: MarbleGroup] = [:]
    for index in rows.indices {
      switch rows[index].content {
      case .box: break
      case .subscriptions(let spans):
        rows[index].stretches = spans.map { span in
          Stretch(
            begin: MarbleSlot(nanoseconds: span.subscribed),
            end: span.unsubscribed.map { MarbleSlot(nanoseconds: $0) }, way: .unsubscribed,
            style: span.isDifferent ? "span ring" : "span")
        }
      case .line(let line, let groups):
        if line.opener == nil { parent = groups }
        let begin = Self.begin(of: line, in: parent)
        let last = groups.keys.max()
        var stretch = Stretch(begin: min(begin, groups.keys.min() ?? begin))
        if let last, groups[last]?.isEnd == true {
          stretch.end = last
        } else if let left = line.left.map({ MarbleSlot(nanoseconds: $0) }) {
          stretch.end = max(left, last ?? left)
          stretch.way = .left
        }
        rows[index].stretches = [stretch]
      }
    }
  }

  private static func begin(of line: MarblePicture.Line, in parent: [MarbleSlot: MarbleGroup]) -> MarbleSlot {
    let inside = MarbleSlot(nanoseconds: line.begin, isInsideSubscribe: true)
    let opener = line.opener.map { MarbleGroup.Item.Shape.value(label: MarbleLabel.marble($0)) }
    let isInside = opener != nil && parent[inside]?.items.contains { $0.shape == opener } == true
    return isInside ? inside : MarbleSlot(nanoseconds: line.begin)
  }

  /// Determines the width of the drawing and the height of each row.
  private mutating func arrange(_ maximumWidth: Int) {
    let bands = nameWidth + (timeline.bands.map(\.width).max() ?? 0)
    let codes = rows.map { row -> Int in
      guard case .box(let text) = row.content else { return 0 }
      return MarbleLabel.codeWidth(MarbleLabel.shown(text, limit: 400), size: 13) + 28
    }
    let title = options.showsTitle ? MarbleLabel.width(MarbleLabel.shown(picture.title, limit: 80), size: 17) : 0
    let content = max(bands, codes.max() ?? 0, title, notesWidth)
    width = min(max(content + 2 * Self.margin, 320), max(maximumWidth, bands + 2 * Self.margin))
    for index in rows.indices {
      switch rows[index].content {
      case .line(let line, _): rows[index].height = line.opener == nil ? 44 : 38
      case .subscriptions: rows[index].height = 26
      case .box(let text):
        rows[index].code = MarbleLabel.wrapped(text, columns: (width - 2 * Self.margin - 20) * 10 / 78, lines: 4)
        rows[index].height = 28 + 18 * max(1, rows[index].code.count)
      }
    }
  }

  private var notesWidth: Int {
    min(560, picture.notes.map { MarbleLabel.width($0.displayable(limit: 100), size: 12) }.max() ?? 0)
  }

  // MARK: From top to bottom

  mutating func svg() -> String {
    var y = 14
    if options.showsTitle, !picture.title.isEmpty {
      canvas.text(
        MarbleLabel.shown(picture.title, limit: max(20, (width - 2 * Self.margin) / 8)), x: Self.margin, y: y + 16,
        "title")
      y += 30
    }
    for (index, band) in timeline.bands.enumerated() {
      if band.omittedBefore > 0 {
        y = remark("… \(Self.count(band.omittedBefore)) \(index == 0 ? "before" : "between"), not drawn", y)
      }
      y = draw(band, isLast: index == timeline.bands.count - 1, top: y)
      if index < timeline.bands.count - 1 { y += 14 }
    }
    if timeline.omittedAfter > 0 { y = remark("… and \(Self.count(timeline.omittedAfter)) more, not drawn", y) }
    let hidden = picture.rows.count - Self.maximumRows
    if hidden > 0 { y = remark("… and \(hidden.grouped) more line\(hidden == 1 ? "" : "s"), not drawn", y) }
    y = drawKeys(y)
    y = drawNotes(y)
    height = y + 12
    return document()
  }

  private static func count(_ events: Int) -> String { "\(events.grouped) event\(events == 1 ? "" : "s")" }

  private mutating func remark(_ text: String, _ y: Int) -> Int {
    canvas.text(text, x: Self.margin, y: y + 15, "note faint")
    return y + 24
  }

  private mutating func drawKeys(_ top: Int) -> Int {
    guard !picture.keys.isEmpty else { return top }
    var x = Self.margin
    var y = top + 22
    for key in picture.keys.prefix(40) {
      let group = MarbleGroup([MarblePicture.Event(key.event)], isUnordered: false)
      let meaning = "= " + MarbleLabel.words(key.meaning, limit: 60)
      let length = group.left + group.right + 6 + MarbleLabel.width(meaning, size: 13)
      if x > Self.margin, x + length > width - Self.margin {
        x = Self.margin
        y += 32
      }
      draw(group, x: x + group.left, y: y)
      canvas.text(meaning, x: x + group.left + group.right + 6, y: y + 5)
      x += length + 20
    }
    y += 20
    let hidden = picture.keys.count - 40
    return hidden > 0 ? remark("… and \(hidden.grouped) more", y) : y
  }

  private mutating func drawNotes(_ top: Int) -> Int {
    var y = top
    let columns = max(20, (width - 2 * Self.margin) / 7)
    for note in picture.notes.prefix(12) {
      for line in MarbleLabel.wrapped(note, columns: columns, lines: 3) {
        canvas.text(line, x: Self.margin, y: y + 16, "note")
        y += 18
      }
    }
    let hidden = picture.notes.count - 12
    return hidden > 0 ? remark("… and \(hidden.grouped) more", y) : y
  }

  private func document() -> String {
    let title = picture.title.isEmpty ? "Marble diagram" : MarbleLabel.shown(picture.title, limit: 200)
    let card = "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"\(width - 1)\" height=\"\(height - 1)\" rx=\"10\"/>"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="marbles" role="img" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
      <title>\(XMLText.escaped(title))</title>
      <desc>\(XMLText.escaped(picture.words))</desc>
      <style>
      \(MarbleStyleSheet.text(for: card + canvas.svg))</style>
      \(card)
      \(canvas.svg)</svg>

      """
  }
}

/// Collects shapes as SVG, one a line.
struct MarbleCanvas {
  private(set) var svg = ""

  mutating func add(_ shape: String) { svg += shape + "\n" }

  mutating func text(_ text: String, x: Int, y: Int, _ style: String = "") {
    let style = style.isEmpty ? "" : " class=\"\(style)\""
    add("<text\(style) x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>")
  }

  mutating func path(_ path: String, _ style: String) { add("<path class=\"\(style)\" d=\"\(path)\"/>") }

  mutating func rectangle(x: Int, y: Int, width: Int, height: Int, radius: Int, _ style: String) {
    add("<rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"\(radius)\"/>")
  }
}
