import SignalMarbles
import SignalPicture

/// A table for a terminal with a fixed-width font. Columns are separated by two spaces.
struct TextTable {
  /// A column: its heading, and whether its figures are right-aligned.
  struct Column {
    var title: String
    var isNumber = false
  }

  var columns: [Column]
  /// A cell for each column.
  var rows: [[String]]

  /// The heading and the rows, without trailing spaces.
  var lines: [String] {
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in all.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (index, cell) in row.enumerated() {
        if index > 0 { line += "  " }
        let space = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell))
        let isLast = index == row.count - 1
        line += columns[index].isNumber ? space + cell : isLast ? cell : cell + space
      }
      return line
    }
  }
}

extension Double {
  /// A rate: `0`, `0.4`, `12.5`, `1,234`.
  var rateWords: String {
    guard isFinite, self > 0 else { return "0" }
    if self >= 99.95 { return UInt64(Swift.min(self.rounded(), 1e18)).grouped }
    let tenths = Swift.max(1, Int((self * 10).rounded()))
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
