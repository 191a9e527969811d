/// Two orders of work as marbles, one above the other, and what each work item is.
struct OrderPicture: CustomStringConvertible {
  private static var longestLegend: Int { 12 }
  private static var frame: Int64 { 1_000_000 }

  private let records: [(title: String, record: OrderRecord)]
  private let labels: [PieceName: String]

  init(_ records: [(title: String, record: OrderRecord)], labels: [PieceName: String]) {
    self.records = records
    self.labels = labels
  }

  var description: String {
    let letters = letters
    var rows: [MarbleTable.Row] = []
    var orders: [[Int64: [PieceName]]] = []
    for (title, record) in records {
      let pieces = Dictionary(grouping: record.pieces, by: \.nanoseconds).mapValues { $0.map(\.name) }
      orders.append(pieces)
      var cells: [MarbleTable.Slot: String] = [:]
      for (time, names) in pieces {
        let texts = names.map { letters[$0] ?? "?" }
        cells[MarbleTable.Slot(nanoseconds: time, isInsideSubscribe: false)] =
          texts.count == 1 ? texts[0] : "(\(texts.joined()))"
      }
      rows.append(MarbleTable.Row(title: title, cells: cells))
    }
    let times = Set(orders.flatMap(\.keys)).sorted()
    let different = times.filter { time in orders.contains { $0[time] != orders[0][time] } }
    let marks = different.map { MarbleTable.Slot(nanoseconds: $0, isInsideSubscribe: false) }
    let end = (times.last ?? 0) + Self.frame
    let table = MarbleTable(
      rows: rows, marks: Set(marks), end: end, frame: MarbleTable.frame(Self.frame, fitting: times))
    return (table.lines() + legend(letters, at: different, orders)).joined(separator: "\n")
  }

  private func legend(
    _ letters: [PieceName: String], at times: [Int64], _ orders: [[Int64: [PieceName]]]
  ) -> [String] {
    var names: [PieceName] = []
    for time in times {
      for order in orders { names += (order[time] ?? []).filter { !names.contains($0) } }
    }
    // Letters that follow each other in the first row say enough where nothing is known.
    guard names.contains(where: { labels[$0] != nil }) else { return [] }
    var lines = names.prefix(Self.longestLegend).map {
      "\(letters[$0] ?? "?") = \(labels[$0] ?? origin(of: $0, letters))"
    }
    if names.count > lines.count { lines.append("… and \(names.count - lines.count) more") }
    return [""] + lines
  }

  /// The work item that scheduled this one, where nothing else is known.
  private func origin(of name: PieceName, _ letters: [PieceName: String]) -> String {
    let author = records.lazy.flatMap(\.record.pieces).first { $0.name == name }?.author ?? 0
    return author == 0 ? "scheduled by the scenario" : "scheduled by \(letters[author] ?? "an earlier work item")"
  }

  /// A letter for each work item, in the order of the first row.
  private var letters: [PieceName: String] {
    let alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    var letters: [PieceName: String] = [:]
    for (_, record) in records {
      for piece in record.pieces where letters[piece.name] == nil {
        letters[piece.name] = letters.count < alphabet.count ? alphabet[letters.count] : "<\(letters.count + 1)>"
      }
    }
    return letters
  }
}
