/// Callouts in Graphviz's HTML-like labels: the numbers on boxes, and the list above the graph.
enum MarkLabel {
  /// The maximum number of characters in a line of the list.
  private static let width = 64

  /// Returns a row with the numbers on a box.
  static func row(_ numbers: Set<Int>, of marks: [PictureMark]) -> String {
    let cells = numbers.sorted().compactMap { number in
      marks.indices.contains(number - 1) ? cell(number, marks[number - 1], points: 11) : nil
    }
    guard !cells.isEmpty else { return "" }
    return "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">\(FixedCell.table(cells, height: 17, spacing: 2))</TD></TR>"
  }

  /// Returns the list: number, message, location and remedy of each callout, in columns of about equal height.
  static func list(of marks: [PictureMark]) -> String {
    let rows = marks.enumerated().map { index, mark in
      let words = lines(mark.words).map { "<B>\(HTMLLabel.escaped($0))</B>" }
      let place = lines(mark.place).map { faint($0) }
      let remedy = lines(mark.remedy).map { HTMLLabel.escaped($0) }
      let lines = words + place + remedy
      // The number is in a row with the first line only, so that its cell is no higher than that line.
      let number = FixedCell.table(
        [cell(index + 1, mark, points: 10), FixedCell(width: 6, align: "LEFT", content: "")], height: 15, spacing: 0)
      let rest = lines.dropFirst().map { $0 + "<BR ALIGN=\"LEFT\"/>" }.joined()
      let row =
        "<TR><TD>\(number)</TD><TD ALIGN=\"LEFT\">\(lines.first ?? " ")</TD></TR>"
        + (rest.isEmpty ? "" : "<TR><TD></TD><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\">\(rest)</TD></TR>")
        + "<TR><TD COLSPAN=\"2\" HEIGHT=\"9\"></TD></TR>"
      return (row: row, height: lines.count)
    }
    // Each column and each row of a table gets an equal share of the remaining space: a last cell that spans many of
    // them takes it.
    let columns = columns(of: rows).map { rows in
      "<TD><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">\(rows.joined())"
        + "<TR><TD ROWSPAN=\"200\" COLSPAN=\"2\"></TD></TR></TABLE></TD><TD WIDTH=\"16\"></TD>"
    }
    return
      "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"3\"><TR>\(columns.joined())<TD COLSPAN=\"40\"></TD></TR></TABLE>"
  }

  /// Rows in up to four columns: a few below each other, many so that all are visible.
  private static func columns(of rows: [(row: String, height: Int)]) -> [[String]] {
    let count =
      switch rows.count {
      case ...3: 1
      case ...8: 2
      case ...24: 3
      default: 4
      }
    let whole = rows.reduce(0) { $0 + $1.height }
    var columns: [[String]] = []
    var above = 0
    for (row, height) in rows {
      // A row belongs to the column that contains its centre.
      let column = min((2 * above + height) * count / max(2 * whole, 1), count - 1)
      if columns.isEmpty || column >= columns.count { columns.append([]) }
      columns[columns.count - 1].append(row)
      above += height
    }
    return columns
  }

  private static func cell(_ number: Int, _ mark: PictureMark, points: Int) -> FixedCell {
    FixedCell(
      width: 8 + 8 * "\(number)".count, align: "CENTER",
      attributes: "BGCOLOR=\"\(PictureStyle.mark(isError: mark.isError))\"",
      content: "<FONT COLOR=\"white\" POINT-SIZE=\"\(points)\"><B>\(number)</B></FONT>")
  }

  private static func faint(_ text: String) -> String {
    "<FONT COLOR=\"\(PictureStyle.faintText)\">\(HTMLLabel.escaped(text))</FONT>"
  }

  /// The text broken into lines at spaces; a word longer than a line is broken.
  static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.displayable(limit: 600).split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
        continue
      }
      var rest = word
      while rest.count > width {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
      lines.append(String(rest))
    }
    return lines
  }
}
