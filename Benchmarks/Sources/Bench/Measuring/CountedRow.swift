import Foundation
import Results

/// A row whose instructions and heap blocks are counted.
struct CountedRow: Sendable {
  /// Part of its name.
  let name: String
  /// Whether its instructions are counted with the graph on too.
  var countsGraph = false
  /// Whether the graph makes a difference to it.
  var measuresGraph = true
  /// Whether OpenCombine does the same.
  var hasPeer = true

  static let all = [
    CountedRow(name: "bare send", countsGraph: true), CountedRow(name: "map, filter, map", countsGraph: true),
    CountedRow(name: "10 maps"), CountedRow(name: "combineLatest of 2", hasPeer: false), CountedRow(name: "zip of 2"),
    CountedRow(name: "merge of 10"), CountedRow(name: "flatMapLatest over just"), CountedRow(name: "flatMap over just"),
    CountedRow(name: "flatMapLatest over an emitter"), CountedRow(name: "flatMap over prefix(1) of an emitter"),
    CountedRow(name: "dispose combineLatest", hasPeer: false), CountedRow(name: "dispose prefix"),
    CountedRow(name: "dispose catch"), CountedRow(name: "dispose retry"),
    CountedRow(name: "dispose debounce", hasPeer: false),
    CountedRow(name: "3 operators, 0 others"), CountedRow(name: "value: set"),
    CountedRow(name: "value: get", measuresGraph: false), CountedRow(name: "virtual timers, 1,000"),
    CountedRow(name: "debounce, virtual time"), CountedRow(name: "hop, one by one, virtual time"),
    CountedRow(name: "hop, bursts of 1,000, virtual time"), CountedRow(name: "hop, bursts of 100, a busy queue"),
    CountedRow(name: "collect 10"), CountedRow(name: "window 100", hasPeer: false),
    CountedRow(name: "grouped by 10 keys", hasPeer: false),
    CountedRow(name: "values, bursts of 100", hasPeer: false),
    CountedRow(name: "mapAsync, bursts of 100", hasPeer: false),
  ]
}

/// Which contenders are counted.
enum CountedContenders: String, CaseIterable {
  /// What the thresholds are for: the library, with the graph off and on.
  case thresholds
  /// What the page has: the library, the limit, OpenCombine, and the graph on in some rows.
  case peers
  /// The library alone.
  case signals

  /// What is counted in a row, in the order in which it is written.
  func counts(of row: CountedRow) -> [PlannedCount] {
    switch self {
    case .signals: [PlannedCount(row: row.name, contender: "signals")]
    case .peers:
      (["signals", "limit"] + (row.hasPeer ? ["OpenCombine"] : []) + (row.countsGraph ? ["graph on"] : [])).map {
        PlannedCount(row: row.name, contender: $0)
      }
    case .thresholds:
      [PlannedCount(row: row.name, contender: "signals", hasBlocks: true)]
        + (row.measuresGraph
          ? [
            PlannedCount(
              row: row.name, contender: "graph on", hasInstructions: row.countsGraph, hasBlocks: true)
          ] : [])
    }
  }
}

/// Something to count.
struct PlannedCount: Sendable {
  let row: String
  let contender: String
  var hasInstructions = true
  var hasBlocks = false

  /// How many operations one run under valgrind does; another does three times as many, and the difference is what counts.
  private static let operations = 20_000

  /// Counts, in processes of their own: what ran before in a process would change the result.
  func counted() throws -> Count {
    Count(
      row: row, contender: contender, instructions: hasInstructions ? try instructions() : nil,
      blocks: hasBlocks ? try blocks() : nil)
  }

  private func instructions() throws -> Int {
    let few = try instructions(of: Self.operations)
    let many = try instructions(of: Self.operations * 3)
    return (many - few) / (Self.operations * 2)
  }

  private func instructions(of operations: Int) throws -> Int {
    let said = try OwnProcess.run(
      under: ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"],
      arguments + ["--once", "\(operations)"])
    guard let line = said.split(separator: "\n").last(where: { $0.contains("Collected : ") }),
      let number = line.split(separator: " ").last.flatMap({ Int($0) })
    else { throw FailedCount(description: "valgrind did not count '\(row)', \(contender). It said:\n\(said)") }
    return number
  }

  private func blocks() throws -> Double {
    let said = try OwnProcess.run(under: [], arguments + ["--rounds", "1", "--scale", "0.05", "--blocks"])
    guard let blocks = Double(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw FailedCount(description: "the blocks of '\(row)', \(contender), are no number: \(said)")
    }
    return blocks
  }

  private var arguments: [String] { ["--only", row, "--contender", contender] }
}

/// Something could not be counted.
struct FailedCount: Error, CustomStringConvertible {
  let description: String
}
