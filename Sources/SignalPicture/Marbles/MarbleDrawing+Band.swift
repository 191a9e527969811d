extension MarbleDrawing {
  /// Draws a band with its axis; returns its lower end.
  mutating func draw(_ band: MarbleTimeline.Band, isLast: Bool, top: Int) -> Int {
    var tops: [Int] = []
    var bottom = top
    for row in rows {
      tops.append(bottom)
      bottom += row.height
    }
    let axis = MarbleAxis(band, timeline: timeline)
    for tick in axis.ticks { canvas.path("M\(x(tick.x)) \(top)V\(bottom + 4)", "guide") }
    drawDifferences(in: band, tops: tops)
    drawThreads(in: band, tops: tops)
    for (index, row) in rows.enumerated() {
      let middle = tops[index] + row.height / 2
      if !row.name.isEmpty {
        let isOver = row.stretches.allSatisfy { stretch in stretch.end.map { $0 < band.first } ?? false }
        canvas.text(row.name, x: Self.margin, y: middle + 5, isOver ? "faint" : "")
      }
      for stretch in row.stretches { draw(stretch, in: band, isLast: isLast, y: middle) }
      switch row.content {
      case .line(_, let groups):
        for column in band.columns {
          if let group = groups[column.slot] { draw(group, x: x(column.x), y: middle) }
        }
      case .subscriptions: break
      case .box: draw(row.code, top: tops[index] + 7, height: row.height - 14)
      }
    }
    draw(axis, y: bottom + 4)
    return bottom + 28
  }

  /// Converts a horizontal position in a band to one in the drawing.
  func x(_ x: Int) -> Int { Self.margin + nameWidth + x }

  // MARK: Lines

  private mutating func draw(_ stretch: Stretch, in band: MarbleTimeline.Band, isLast: Bool, y: Int) {
    guard stretch.begin <= band.last, stretch.end.map({ $0 >= band.first }) ?? true else { return }
    let from = stretch.begin < band.first ? 0 : band.column(stretch.begin)?.x ?? 0
    let end = stretch.end.flatMap { $0 <= band.last ? $0 : nil }
    let to = end.flatMap { band.column($0)?.x } ?? band.width
    let goesOn = end == nil
    canvas.path("M\(x(from)) \(y)H\(x(to) - (goesOn && isLast ? 6 : 0))", stretch.style)
    if stretch.begin >= band.first { canvas.path("M\(x(from)) \(y - 5)v10", stretch.style) }
    if goesOn {
      if isLast { canvas.path("M\(x(to)) \(y)l-9 -4.5v9z", "point") }
    } else {
      switch stretch.way {
      case .over: break
      case .left: canvas.path("M\(x(to) - 4) \(y - 8)h4v16h-4", stretch.style)
      case .unsubscribed: canvas.path("M\(x(to)) \(y - 5)v10", stretch.style)
      }
    }
    drawCuts(in: band, from: from, to: to, y: y)
  }

  /// Draws marks where the line is shortened together with time.
  private mutating func drawCuts(in band: MarbleTimeline.Band, from: Int, to: Int, y: Int) {
    for (index, column) in band.columns.enumerated() where column.isAfterCut && column.x > from && column.x <= to {
      let middle = x(Self.cut(band, index))
      canvas.rectangle(x: middle - 3, y: y - 2, width: 6, height: 4, radius: 0, "gap")
      canvas.path("M\(middle - 6) \(y + 5)l6 -10M\(middle) \(y + 5)l6 -10", "line")
    }
  }

  /// The middle of a shortened stretch, between the marbles at its ends.
  static func cut(_ band: MarbleTimeline.Band, _ index: Int) -> Int {
    let (before, after) = (band.columns[index - 1], band.columns[index])
    return (before.x + before.right + after.x - after.left) / 2
  }

  /// Draws threads from each value that is a signal to the line of that signal.
  private mutating func drawThreads(in band: MarbleTimeline.Band, tops: [Int]) {
    var parent: Int?
    for (index, row) in rows.enumerated() {
      guard case .line(let line, _) = row.content, let begin = row.stretches.first?.begin else { continue }
      let middle = tops[index] + row.height / 2
      if line.opener == nil {
        parent = middle
      } else if let parent, let column = band.column(begin) {
        canvas.path("M\(x(column.x)) \(parent)V\(middle)", "line thread")
      }
    }
  }

  private mutating func drawDifferences(in band: MarbleTimeline.Band, tops: [Int]) {
    let compared = rows.indices.filter { index in
      if case .line(let line, _) = rows[index].content { return line.role != .plain }
      return false
    }
    guard let first = compared.first, let last = compared.last else { return }
    for column in band.columns {
      let groups = compared.compactMap { index -> MarbleGroup? in
        if case .line(_, let groups) = rows[index].content { return groups[column.slot] }
        return nil
      }.filter(\.isDifferent)
      guard let left = groups.map(\.left).max(), let right = groups.map(\.right).max() else { continue }
      let (before, after) = (max(11, left) + 4, max(11, right) + 4)
      canvas.rectangle(
        x: x(column.x) - before, y: tops[first] + 2, width: before + after,
        height: tops[last] + rows[last].height - tops[first] - 4, radius: 8, "column")
    }
  }

  // MARK: Boxes and axis

  private mutating func draw(_ code: [String], top: Int, height: Int) {
    canvas.rectangle(x: Self.margin, y: top, width: width - 2 * Self.margin, height: height, radius: 8, "box")
    for (index, line) in code.enumerated() {
      canvas.text(line, x: width / 2, y: top + height / 2 + 5 - 9 * (code.count - 1) + 18 * index, "code")
    }
  }

  private mutating func draw(_ axis: MarbleAxis, y: Int) {
    for frame in axis.frames { canvas.path("M\(x(frame)) \(y)v3", "tick") }
    for tick in axis.ticks {
      canvas.path("M\(x(tick.x)) \(y)v5", "tick")
      canvas.text(tick.label, x: x(tick.x), y: y + 17, "small faint")
    }
  }
}

extension MarbleGroup {
  /// Whether no event may follow.
  var isEnd: Bool {
    items.contains { item in
      switch item.shape {
      case .failed, .finished: true
      case .value, .anyValue, .others: false
      }
    }
  }
}
