import Foundation
import Results

/// The most that each counted row may cost: a file with lines of row, contender, instructions and blocks, separated by tabs.
struct Thresholds {
  struct Line {
    var row: String
    var contender: String
    /// Nil where they are not counted.
    var instructions: Int?
    var blocks: Double
  }

  struct WrongLine: Error, CustomStringConvertible {
    let description: String
  }

  var lines: [Line]

  init(path: String) throws {
    lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      let cells = $0.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count == 4, let blocks = Double(cells[3]), cells[2] == "-" || Int(cells[2]) != nil else {
        throw WrongLine(
          description: "\(path): '\($0)' is not row, contender, instructions and blocks, separated by tabs")
      }
      return Line(row: String(cells[0]), contender: String(cells[1]), instructions: Int(cells[2]), blocks: blocks)
    }
  }

  /// Thresholds for what was counted: with 5 % to spare for instructions and nothing for blocks, but for a tenth where the graph makes nodes,
  /// as those cost no whole number of blocks: the table of nodes grows now and then.
  init(_ counts: [Count]) {
    lines = counts.map { count in
      let blocks = count.blocks ?? 0
      return Line(
        row: count.row, contender: count.contender, instructions: count.instructions.map { Int(Double($0) * 1.05) + 1 },
        blocks: blocks + (count.contender == "graph on" && blocks > 0 ? 0.1 : 0))
    }
  }

  /// The line for what was counted, if there is one.
  subscript(count: Count) -> Line? { lines.first { $0.row == count.row && $0.contender == count.contender } }

  /// The file's text.
  var text: String {
    let rows = lines.map { line in
      [line.row, line.contender, line.instructions.map(String.init) ?? "-", String(format: "%.2f", line.blocks)]
    }
    return ([["# row", "contender", "instructions", "blocks"]] + rows).map { $0.joined(separator: "\t") + "\n" }
      .joined()
  }
}
