import Foundation

/// Instructions per operation, counted by callgrind outside this program: lines of row, contender and number, separated by tabs.
struct InstructionCounts {
  private var counts: [String: [String: Double]] = [:]

  init(path: String) throws {
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "\t").map(String.init)
      if cells.count == 3, let count = Double(cells[2]) { counts[cells[0], default: [:]][cells[1]] = count }
    }
  }

  /// Adds what was counted for a row to its result. A row is meant by any part of its name.
  func add(to result: inout RowResult) {
    for (row, byContender) in counts where result.name.contains(row) {
      for (contender, count) in byContender { result.measurements[contender]?.instructions = count }
    }
  }
}
