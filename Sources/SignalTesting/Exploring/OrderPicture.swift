/// Two orders of work as marbles, one above the other, and a legend of the work items.
struct OrderPicture: CustomStringConvertible {
  private static var longestLegend: Int { 12 }
  private static var frame: Int64 { 1_000_000 }

  private let records: [(title: String, record: OrderRecord)]
  private let labels: PieceLabels

  init(_ records: [(title: String, record: OrderRecord)], labels: PieceLabels) {
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
    func add(_ name: PieceName) {
      // The scheduler of an actor's work is the caller of the actor.
      if labels.label(of: name)?.isOfActor ?? false { add(author(of: name)) }
      if name != 0, !names.contains(name) { names.append(name) }
    }
    for time in times {
      for order in orders { order[time]?.forEach(add) }
    }
    // Consecutive letters in the first row suffice if nothing is known.
    guard names.contains(where: { labels.label(of: $0) != nil || labels.origin(of: $0)?.place != nil }) else {
      return []
    }
    var lines = names.prefix(Self.longestLegend).map { "\(letters[$0] ?? "?") = \(text(of: $0, letters))" }
    if names.count > lines.count { lines.append("… and \(names.count - lines.count) more") }
    return [""] + lines
  }

  private func text(of name: PieceName, _ letters: [PieceName: String]) -> String {
    if let label = labels.label(of: name), !label.isOfActor { return label.text }
    let author = author(of: name)
    let origin = "scheduled by \(author == 0 ? "the scenario" : letters[author] ?? "an earlier work item")"
    if let label = labels.label(of: name) { return "\(label.words), \(origin)" }
    return PieceLabel(words: origin, trace: labels.origin(of: name)).text
  }

  /// The work item that scheduled this one; 0 for the scenario.
  private func author(of name: PieceName) -> PieceName {
    records.lazy.flatMap(\.record.pieces).first { $0.name == name }?.author ?? 0
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
