import ArgumentParser
import Foundation

/// Measures the library beside its peers and beside what one would write by hand.
@main
struct Bench: ParsableCommand {
  static let allRows = SendRows.all + CombiningRows.all + LifetimeRows.all

  @Option(help: "Measure only rows whose name contains this.")
  var only: String?

  @Option(help: "Measure only this contender, for profiles: signals, limit, OpenCombine, or 'graph on'.")
  var contender: String?

  @Option(help: "How many rounds; the median counts.")
  var rounds = 9

  @Option(help: "Multiplies the operations of each round; below 1 for a short run.")
  var scale = 1.0

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  func validate() throws {
    guard rounds > 0, scale > 0 else { throw ValidationError("--rounds and --scale must be above 0") }
  }

  func run() throws {
    Harness.parkSecondThread()
    let harness = Harness(rounds: rounds, scale: scale, onlyContender: contender)
    let rows = Self.allRows.filter { row in only.map { row.name.contains($0) } ?? true }
    guard !rows.isEmpty else {
      throw ValidationError(
        "no row's name contains '\(only ?? "")'; there are: \(Self.allRows.map(\.name).joined(separator: "; "))")
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
