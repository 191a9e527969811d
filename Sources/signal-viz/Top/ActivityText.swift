import SignalMarbles
import SignalPicture

/// Formats a table of activity as lines that fit a width.
struct ActivityText {
  var table: ActivityTable
  /// The figure by which it is sorted.
  var order: ActivityTable.Order
  /// The width in columns of a terminal; nil for no limit.
  var width: Int?

  /// A line about the program as a whole.
  var heading: String {
    let rate = table.rate.map { "\($0.rateWords) values/s" } ?? "…"
    let nodes = NodeCounts(live: table.nodes, ended: table.ended).words
    let count = table.subscriptions
    return fitted("\(table.program.words)  \(nodes)  \(count.grouped) subscription\(count == 1 ? "" : "s")  \(rate)")
  }

  /// The table with its heading.
  var lines: [String] {
    let rows = table.rows.map(cells)
    var columns = Column.allCases
    // The least important columns are dropped first; the sorted one remains.
    var rest = [Column.nodes, .count, .handler, .waiting].filter { $0 != .sorted(by: order) }
    while let width, !rest.isEmpty, needed(columns, rows) > width {
      columns.removeAll { $0 == rest.first }; rest.removeFirst()
    }
    let chosen = TextTable(
      columns: columns.map {
        TextTable.Column(title: $0 == .sorted(by: order) ? "\($0.title)*" : $0.title, isNumber: $0.isNumber)
      },
      rows: rows.map { row in columns.map { row[$0] ?? "" } })
    return chosen.lines.map(fitted)
  }

  enum Column: CaseIterable {
    case rate, count, waiting, handler, nodes, what, place

    var title: String {
      switch self {
      case .rate: "VALUES/S"
      case .count: "VALUES"
      case .waiting: "WAITING"
      case .handler: "HANDLER"
      case .nodes: "NODES"
      case .what: "WHAT"
      case .place: "PLACE"
      }
    }

    var isNumber: Bool { self != .what && self != .place }

    static func sorted(by order: ActivityTable.Order) -> Column {
      switch order {
      case .rate: .rate
      case .count: .count
      case .waiting: .waiting
      case .handler: .handler
      }
    }
  }

  private func cells(_ row: ActivityTable.Row) -> [Column: String] {
    let number = row.node.map { " #\($0)" } ?? ""
    return [
      .rate: row.rate?.rateWords ?? "-", .count: row.count.grouped,
      .waiting: row.waiting == 0 ? "" : row.waiting.grouped,
      .handler: row.handler.map { "\(($0 * 100).rateWords) %" } ?? "", .nodes: row.nodes.grouped,
      .what: (row.title.isEmpty ? row.kind : row.title) + number,
      .place: row.shortPlace,
    ]
  }

  private func needed(_ columns: [Column], _ rows: [[Column: String]]) -> Int {
    columns.reduce(2 * (columns.count - 1)) { sum, column in
      sum + ([column.title + "*"] + rows.map { $0[column] ?? "" }).reduce(0) { max($0, DisplayWidth.of($1)) }
    }
  }

  /// The line, truncated at the width.
  private func fitted(_ line: String) -> String {
    guard let width, DisplayWidth.of(line) > width else { return line }
    var (text, used) = ("", 0)
    for character in line {
      used += DisplayWidth.of(character)
      guard used < width else { break }
      text.append(character)
    }
    return text + "…"
  }
}
