import SignalMarbles

/// Rows of events over a common time, each column as wide as its widest cell, with a caret row.
struct MarbleTable {
  /// A column: a time, with the events inside subscribe before it.
  struct Slot: Hashable, Comparable {
    var nanoseconds: Int64
    var isInsideSubscribe: Bool

    static var start: Slot { Slot(nanoseconds: 0, isInsideSubscribe: true) }

    static func < (left: Slot, right: Slot) -> Bool {
      left.nanoseconds != right.nanoseconds
        ? left.nanoseconds < right.nanoseconds : left.isInsideSubscribe && !right.isInsideSubscribe
    }
  }

  struct Row {
    var title: String
    var cells: [Slot: String]
    /// The last slot, if the row has an end and stays blank behind it.
    var last: Slot?
  }

  var rows: [Row]
  var marks: Set<Slot>
  var end: Int64
  var frame: Int64
  /// The ranges of the cells, in order; empty if they contain everything.
  var excerpts: [ClosedRange<Int64>] = []
  /// Whether lines without a mark are shown too.
  var showsAll = false
  var width = 100

  private struct Column {
    var texts: [String]
    var mark: String
    var start: Int64
  }

  /// The lines; the frame is named if it is shorter than the diagram's own.
  func lines() -> [String] {
    let titleWidth = (rows.map(\.title.count).max() ?? 0) + 2
    var blocks: [[Column]] = []
    for part in parts() {
      blocks.append([])
      var used = 0
      for column in part {
        let columnWidth = column.mark.count
        if used + columnWidth > width, used > 0 {
          blocks.append([])
          used = 0
        }
        blocks[blocks.count - 1].append(column)
        used += columnWidth
      }
    }
    var lines: [String] = []
    var isOmitting = false
    for block in blocks {
      guard showsAll || blocks.count == 1 || block.contains(where: { $0.mark.contains("^") }) else {
        if !isOmitting { lines.append("…") }
        isOmitting = true
        continue
      }
      isOmitting = false
      if blocks.count > 1, let first = block.first { lines.append("from \(MarbleDuration.spoken(first.start))") }
      for (index, row) in rows.enumerated() {
        let title = row.title.padding(to: titleWidth)
        lines.append((title + block.map { $0.texts[index] }.joined()).trimmingEnd())
      }
      let carets = (String(repeating: " ", count: titleWidth) + block.map(\.mark).joined()).trimmingEnd()
      if !carets.isEmpty { lines.append(carets) }
    }
    return lines
  }

  /// The columns of each part.
  private func parts() -> [[Column]] {
    let slots = Set(rows.flatMap(\.cells.keys)).union(marks).sorted()
    guard !excerpts.isEmpty else {
      return [columns(slots, from: min(0, slots.first?.nanoseconds ?? 0), to: end)]
    }
    return excerpts.map { excerpt in
      let slots = slots.filter { excerpt.contains($0.nanoseconds) }
      return columns(slots, from: excerpt.lowerBound, to: excerpt.contains(end) ? end : excerpt.upperBound)
    }
  }

  private func columns(_ slots: [Slot], from begin: Int64, to end: Int64) -> [Column] {
    let printer = MarblePrinter()
    var result: [Column] = []
    var clock = begin
    func gap(to time: Int64) {
      guard time > clock else { return }
      let text = printer.gap(time.subtractingSaturated(clock), frame: frame)
      let isLine = text.hasPrefix("-")
      let texts = rows.map { row in
        if let last = row.last, last.nanoseconds < clock { return String(repeating: " ", count: text.count) }
        return text
      }
      if isLine {
        for offset in 0..<text.count {
          result.append(
            Column(texts: texts.map { String($0.first ?? " ") }, mark: " ", start: clock &+ Int64(offset) &* frame))
        }
      } else {
        result.append(Column(texts: texts, mark: String(repeating: " ", count: text.count), start: clock))
      }
      clock = time
    }
    for slot in slots {
      gap(to: slot.nanoseconds)
      let cells = rows.map { row -> String in
        if let cell = row.cells[slot] { return cell }
        if let last = row.last, last < slot { return "" }
        return slot.isInsideSubscribe ? "" : "-"
      }
      let cellWidth = max(1, cells.map(DisplayWidth.of).max() ?? 1)
      let mark = marks.contains(slot) ? "^" + String(repeating: "~", count: cellWidth - 1) : ""
      result.append(
        Column(
          texts: cells.map { $0.padding(to: cellWidth) }, mark: mark.padding(to: cellWidth), start: slot.nanoseconds))
      if !slot.isInsideSubscribe { clock = slot.nanoseconds.addingSaturated(frame) }
    }
    gap(to: end)
    return result
  }
}

extension String {
  func trimmingEnd() -> String {
    var result = self
    while result.last == " " { result.removeLast() }
    return result
  }
}

extension MarbleTable {
  /// The longest frame, at most `frame`, in which all times are distinct and on the grid of the closest two.
  static func frame(_ frame: Int64, fitting times: [Int64]) -> Int64 {
    let sorted = Set(times).sorted()
    return zip(sorted, sorted.dropFirst()).map { $1.subtractingSaturated($0) }.reduce(frame) { min($0, $1) }
  }
}
