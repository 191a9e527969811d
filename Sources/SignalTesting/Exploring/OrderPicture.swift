import Signals
import Synchronization

/// Two orders of work as marbles, one above the other, and what each piece of work is.
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
    let known = names.filter { labels[$0] != nil }
    var lines = known.prefix(Self.longestLegend).map { "\(letters[$0] ?? "?") = \(labels[$0] ?? "")" }
    if known.count > lines.count { lines.append("… and \(known.count - lines.count) more") }
    return lines.isEmpty ? [] : [""] + lines
  }

  /// A letter for each piece, in the order of the first row.
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

/// Finds out what the pieces of work of a run are, by what is pending before each of them and not after it.
final class PieceLabels: Sendable {
  private struct State {
    var pending: [PendingWork] = []
    var labels: [PieceName: String] = [:]
  }

  private let recorder = GraphRecorder(endedLimit: 0)
  private let state = Mutex(State())

  var labels: [PieceName: String] { state.withLock { $0.labels } }

  func record(_ body: () -> Void) {
    recorder.record(body)
    recorder.close()
  }

  /// Notes that a piece of work is over, if there was one, and the next begins.
  func next(after record: OrderRecord) {
    let pending = recorder.pendingWork
    state.withLock { state in
      defer { state.pending = pending }
      guard let last = record.pieces.last else { return }
      let left = Set(pending.filter { $0.stage != .onItsWay }.map(\.identifier))
      guard let over = state.pending.first(where: { !left.contains($0.identifier) }), let site = over.site else {
        return
      }
      state.labels[last.name] = "\(site.kind) \(Chains.place(site))"
    }
  }
}
