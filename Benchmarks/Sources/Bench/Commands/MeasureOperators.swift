import ArgumentParser
import Foundation
import Measuring
import OperatorCosts
import Results

/// Measures what each operator allocates.
struct MeasureOperators: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operators",
    abstract: "Measures what each operator allocates.")

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  func run() throws {
    SecondThread.park()
    let results = OperatorResult.measured()
    for result in results {
      print(
        result.name.padding(toLength: 32, withPad: " ", startingAt: 0),
        (OperatorTable.cells(result.off) + OperatorTable.cells(result.on)).joined(separator: "\t"))
    }
    if let json { try ResultFile.write(results, to: json) }
  }
}
