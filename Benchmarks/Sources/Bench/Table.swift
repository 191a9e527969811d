import Foundation

/// The printed table.
enum Table {
  private static let columns: [(title: String, width: Int)] = [
    ("nanoseconds per operation", 44), ("signals", 9), ("limit", 9), ("x limit", 8), ("goal", 6), ("OpenCombine", 12),
    ("x faster", 9), ("graph on", 9), ("blocks", 7),
  ]

  static var header: String {
    line(columns.map(\.title)) + "\n" + String(repeating: "-", count: columns.map { $0.width + 1 }.reduce(0, +))
  }

  static func line(_ result: RowResult) -> String {
    let own = result.measurements["signals"]
    return line([
      result.name,
      number(own?.nanoseconds),
      number(result.measurements["limit"]?.nanoseconds),
      number(result.ratio(to: "limit")),
      number(result.goal),
      number(result.measurements["OpenCombine"]?.nanoseconds),
      number(result.ratio(to: "OpenCombine").map { 1 / $0 }),
      number(result.measurements["graph on"]?.nanoseconds),
      number(own?.allocations),
    ])
  }

  private static func line(_ cells: [String]) -> String {
    zip(cells, columns).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1.width - cell.0.count))
      return index == 0 ? cell.0 + padding : padding + cell.0
    }.joined(separator: " ")
  }

  private static func number(_ value: Double?) -> String {
    guard let value else { return "-" }
    return String(format: value < 10 ? "%.2f" : "%.0f", value)
  }
}
