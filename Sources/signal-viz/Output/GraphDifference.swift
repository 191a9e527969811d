import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

/// The changes in a graph by source location.
struct GraphDifference: Encodable {
  /// The changes at one location.
  struct Row: Encodable, Equatable {
    var kind: String
    var fileID: String
    var line: Int
    var function: String
    /// The number of live nodes before.
    var liveBefore: Int
    /// The number of live nodes now.
    var liveNow: Int
    /// The number of values that passed in between, including those of nodes that were created and ended in the
    /// meantime.
    var values: UInt64
    /// The number of nodes that ended in between.
    var ended: UInt64
  }

  var version = 1
  var program: ProcessIdentity
  var seconds: Double
  /// The changed locations, by growth, then by values passed.
  var definitions: [Row]

  init(from before: GraphSnapshot, to now: GraphSnapshot) {
    let observation = Observation(now, since: before)
    program = now.process.displayable
    seconds = observation.seconds
    let earlier = Dictionary(grouping: before.nodes, by: \.definition)
    let later = Dictionary(grouping: now.nodes, by: \.definition)
    let old = Dictionary(before.definitions.map { ($0.id, $0) }) { first, _ in first }
    let all = old.merging(observation.now.definitions) { _, new in new }
    definitions = all.values.compactMap { definition in
      let was = earlier[definition.id] ?? []
      let nodes = later[definition.id] ?? []
      let gone = was.filter { $0.state == .live && observation.now.nodes[$0.id]?.state != .live }.count
      let (last, first) = (definition.ends?.total ?? 0, old[definition.id]?.ends?.total ?? 0)
      let (total, earlierTotal) = (Total(of: nodes, definition), Total(of: was, old[definition.id]))
      let row = Row(
        kind: definition.kind.displayable(limit: 100), fileID: definition.fileID.displayable(limit: 500),
        line: definition.line, function: definition.function.displayable(limit: 500),
        liveBefore: was.count { $0.state == .live }, liveNow: nodes.count { $0.state == .live },
        // A program with an earlier version does not count evicted nodes.
        values: max(
          nodes.reduce(0) { $0 &+ observation.values(of: $1) },
          total.values > earlierTotal.values ? total.values - earlierTotal.values : 0),
        ended: max(
          UInt64(gone), last > first ? last - first : 0,
          total.ended > earlierTotal.ended ? total.ended - earlierTotal.ended : 0))
      return row.liveBefore == row.liveNow && row.values == 0 && row.ended == 0 ? nil : row
    }.sorted { first, second in
      let growth = (first.liveNow - first.liveBefore, second.liveNow - second.liveBefore)
      if growth.0 != growth.1 { return growth.0 > growth.1 }
      if first.values != second.values { return first.values > second.values }
      return (first.fileID, first.line, first.kind) < (second.fileID, second.line, second.kind)
    }
  }

  /// The totals of one location: current and evicted nodes.
  private struct Total {
    let values: UInt64
    let ended: UInt64

    init(of nodes: [Node], _ definition: Definition?) {
      let gone = definition?.gone ?? GoneNodes()
      values = nodes.reduce(gone.values) { $0 &+ $1.valueCount }
      ended = gone.nodes &+ UInt64(nodes.count { $0.state != .live })
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// A table, and a line that describes it.
  var text: String {
    let places = PlaceWords(of: definitions.lazy.map(\.fileID))
    let header = ["BEFORE", "NOW", "VALUES", "ENDED", "KIND", "PLACE"]
    let cells = definitions.map {
      ["\($0.liveBefore)", "\($0.liveNow)", "\($0.values)", "\($0.ended)", $0.kind, places($0.fileID, $0.line)]
    }
    let rows = definitions.isEmpty ? [] : [header] + cells
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        // Figures are right-aligned, texts left-aligned.
        return column < 4 ? space + cell : column < 5 ? cell + space : cell
      }.joined(separator: "  ")
    }
    let count = definitions.count
    let what = count == 0 ? "Nothing changed" : "\(count) place\(count == 1 ? "" : "s") changed"
    let summary = "\(what) in \(program.words) within \(WatchTime(seconds: seconds).words)."
    return (lines + [summary]).map { $0 + "\n" }.joined()
  }
}
