import ArgumentParser
import Foundation
import Measuring
import Results

/// Measures the rows of the table.
struct MeasureRows: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows", abstract: "Measures the rows of the table (this is what happens without a subcommand).")

  @Option(help: "Measure only rows whose name contains this.")
  var only: String?

  @Option(help: "Measure only this contender, for profiles: signals, limit, OpenCombine, or 'graph on'.")
  var contender: String?

  @Option(help: "How many rounds; the median counts.")
  var rounds = 15

  @Option(help: "Multiplies the operations of each round; below 1 for a short run.")
  var scale = 1.0

  @Option(help: "Do this many operations of one row and contender, once and untimed: for counting instructions.")
  var once: Int?

  @Flag(help: "Print only the heap blocks of one operation, to the hundredth.")
  var blocks = false

  @Option(help: "A file that the command counts wrote, to show instructions beside the times.")
  var instructions: String?

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  @Option(help: "The version of Swift that the JSON should name.")
  var swiftVersion = "unknown"

  func validate() throws {
    guard rounds > 0, scale > 0 else { throw ValidationError("--rounds and --scale must be above 0") }
  }

  func run() throws {
    SecondThread.park()
    let rows = Bench.allRows.filter { row in only.map { row.name.contains($0) } ?? true }
    guard !rows.isEmpty else {
      throw ValidationError(
        "no row's name contains '\(only ?? "")'; there are: \(Bench.allRows.map(\.name).joined(separator: "; "))")
    }
    if let once { return perform(once, rows) }
    let harness = Harness(rounds: rounds, scale: scale, onlyContender: contender)
    if blocks { return try printBlocks(rows, harness) }
    let counts = try instructions.map { try ResultFile.read([Count].self, from: $0) } ?? []
    print(Table.header)
    var results: [RowResult] = []
    for row in rows {
      var result = try harness.measure(row)
      result.add(counts)
      result.missed = result.goals.missed(by: result)
      print(Table.line(result))
      results.append(result)
    }
    let isComplete = only == nil && contender == nil
    let memory = isComplete ? MemoryResult.measured(chains: 100_000) : nil
    if let memory { print("", Table.lines(memory), separator: "\n") }
    if let json {
      try ResultFile.write(
        BenchReport(
          machine: .current(swift: swiftVersion), rounds: rounds, scale: scale, rows: results, memory: memory,
          isComplete: isComplete),
        to: json)
    }
  }

  private func perform(_ operations: Int, _ rows: [Row]) {
    for row in rows {
      for own in row.preparedContenders(only: contender ?? "signals") {
        own.recording { own.run.perform(operations) }
        print(row.name, own.name, own.run.result())
      }
    }
  }

  private func printBlocks(_ rows: [Row], _ harness: Harness) throws {
    for row in rows {
      let wanted = contender ?? "signals"
      guard let measured = try harness.measure(row).measurements[wanted] else {
        throw ValidationError("'\(row.name)' is not measured for '\(wanted)'")
      }
      print(String(format: "%.2f", measured.blocks))
    }
  }
}
