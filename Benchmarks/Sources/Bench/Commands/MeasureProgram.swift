import ArgumentParser
import Foundation
import Measuring
import Results
import WholeProgram

/// Measures what the live graph costs a whole program.
struct MeasureProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "program", abstract: "Measures what the live graph, and a client of the inspector, cost a whole program.")

  @Option(help: "Measure only what contains this in its name.")
  var only: String?

  @Option(help: "How many rounds; the median counts.")
  var rounds = 15

  @Option(help: "Multiplies the operations of each round; below 1 for a short run.")
  var scale = 1.0

  @Option(help: "Do this many operations of the work that --only names, once and untimed: for profiles.")
  var once: Int?

  @Flag(help: "With --once: turn the graph on.")
  var graph = false

  @Option(help: "Also write the results as JSON to this file.")
  var json: String?

  @Option(help: "The version of Swift that the JSON should name.")
  var swiftVersion = "unknown"

  func validate() throws {
    guard rounds > 0, scale > 0 else { throw ValidationError("--rounds and --scale must be above 0") }
  }

  func run() throws {
    SecondThread.park()
    if let once { return GraphRatios.perform(only ?? "", operations: once, isGraphOn: graph) }
    let ratios = try GraphRatios.measured(rounds: rounds, scale: scale, only: only)
    for ratio in ratios { print(ratio) }
  }
}
