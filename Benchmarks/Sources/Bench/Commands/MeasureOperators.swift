import ArgumentParser
import Foundation
import Measuring
import OperatorCosts
import Results

/// Measures what each operator allocates.
struct MeasureOperators: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operators",
    abstract: "Measures what each operator allocates; fails when the library has a file that no sample stands for.")

  @Option(help: "The folder of the library's sources.")
  var sources = "Sources/Signals"

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  func run() throws {
    SecondThread.park()
    try checkCompleteness()
    let results = OperatorResult.measured()
    for result in results {
      print(
        result.name.padding(toLength: 32, withPad: " ", startingAt: 0),
        (OperatorTable.cells(result.off) + OperatorTable.cells(result.on)).joined(separator: "\t"))
    }
    if let json { try ResultFile.write(results, to: json) }
  }

  private func checkCompleteness() throws {
    let known = Set(OperatorCatalogue.all.compactMap(\.file))
    let files = try ["Operators", "Combining", "Sources"].flatMap {
      try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\($0)")
    }
    let missing = files.filter { $0.hasSuffix(".swift") && !known.contains(String($0.dropLast(6))) }.sorted()
    guard missing.isEmpty else {
      throw ValidationError(
        "\(missing.joined(separator: ", ")): no sample in Benchmarks/Sources/OperatorCosts/OperatorCatalogue.swift. "
          + "Add one, so that the page says what it costs.")
    }
  }
}
