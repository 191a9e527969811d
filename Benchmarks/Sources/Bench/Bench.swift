import ArgumentParser
import Foundation
import Signals

/// Measures the library beside its peers and beside what one would write by hand.
@main
struct Bench: ParsableCommand {
  static let allRows = SendRows.all + CombiningRows.all + LifetimeRows.all + TimeRows.all

  @Option(help: "Measure only rows whose name contains this.")
  var only: String?

  @Option(help: "Measure only this contender, for profiles: signals, limit, OpenCombine, or 'graph on'.")
  var contender: String?

  @Option(help: "How many rounds; the median counts.")
  var rounds = 9

  @Option(help: "Multiplies the operations of each round; below 1 for a short run.")
  var scale = 1.0

  @Option(help: "Do this many operations of one row and contender, once and untimed: for counting instructions.")
  var once: Int?

  @Flag(help: "Print only the heap blocks of one operation, to the hundredth.")
  var blocks = false

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  func validate() throws {
    guard rounds > 0, scale > 0 else { throw ValidationError("--rounds and --scale must be above 0") }
  }

  private static func perform(_ operations: Int, _ rows: [Row], _ contender: String) {
    let isGraphOn = contender == Harness.graphOn
    if isGraphOn { Introspection.enable() }
    for row in rows {
      for own in row.contenders where own.name == (isGraphOn ? "signals" : contender) {
        let run = own.prepare()
        run.perform(operations)
        print(row.name, contender, run.result())
      }
    }
  }

  func run() throws {
    Harness.parkSecondThread()
    let harness = Harness(rounds: rounds, scale: scale, onlyContender: contender)
    let rows = Self.allRows.filter { row in only.map { row.name.contains($0) } ?? true }
    guard !rows.isEmpty else {
      throw ValidationError(
        "no row's name contains '\(only ?? "")'; there are: \(Self.allRows.map(\.name).joined(separator: "; "))")
    }
    if let once { return Self.perform(once, rows, contender ?? "signals") }
    if blocks {
      for row in rows {
        let blocks = try harness.measure(row).measurements[contender ?? "signals"]?.allocations ?? 0
        print(String(format: "%.2f", blocks))
      }
      return
    }
    print(Table.header)
    var results: [RowResult] = []
    for row in rows {
      let result = try harness.measure(row)
      print(Table.line(result))
      results.append(result)
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(results).write(to: URL(fileURLWithPath: json), options: .atomic)
    }
  }
}
