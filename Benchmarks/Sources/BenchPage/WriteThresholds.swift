import ArgumentParser
import Foundation
import Measuring
import Results

/// Makes what was counted the thresholds.
struct WriteThresholds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thresholds", abstract: "Writes the thresholds anew, with something to spare.")

  @Option(help: "What was counted.")
  var counts = "out/counts.json"

  @Option(help: "The thresholds.")
  var thresholds = "Benchmarks/thresholds.tsv"

  func run() throws {
    let text = Thresholds(try ResultFile.read([Count].self, from: counts)).text
    try Data(text.utf8).write(to: URL(fileURLWithPath: thresholds), options: .atomic)
    print("Wrote \(thresholds).")
  }
}
