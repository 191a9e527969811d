import ArgumentParser
import Foundation
import Measuring
import Results
import WholeProgram

/// Measures what the live graph costs a whole program.
struct MeasureProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "program",
    abstract: "Measures what the live graph, and a client of the inspector, cost a whole program.")

  @Option(
    help:
      "Measure only work whose name contains this; for clients, 'client'; for memory, 'memory'; for recordings, 'recording'."
  )
  var only: String?

  @Option(help: "How many rounds; the median counts.")
  var rounds = 15

  @Option(help: "Multiplies the operations of each round; below 1 for a short run.")
  var scale = 1.0

  @Option(help: "How many nodes the programs have that clients ask.")
  var nodes = [1_000, 100_000]

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
    for ratio in ratios { print(ProgramTable.line(ratio)) }
    let memory = only.map { "memory".contains($0) } ?? true ? ProgramMemory.measured() : []
    for memory in memory { print(ProgramTable.line(memory)) }
    var clients: [ClientCost] = []
    if only.map({ "client".contains($0) }) ?? true {
      let (nodes, rounds, scale) = (nodes, max(1, rounds / 3), scale)
      let arguments = [AskProgram.configuration.commandName ?? ""]
      clients = try Blocking.wait {
        try await ClientCosts.measured(nodes: nodes, rounds: rounds, scale: scale, arguments: arguments)
      }
      for client in clients { print(ProgramTable.line(client)) }
    }
    var recording: RecordingCost?
    if only.map({ "recording".contains($0) }) ?? true {
      let (rounds, scale) = (max(1, rounds / 3), scale)
      let arguments = [AskProgram.configuration.commandName ?? ""]
      let measured = try Blocking.wait {
        try await RecordingCosts.measured(rounds: rounds, scale: scale, arguments: arguments)
      }
      print(ProgramTable.line(measured))
      recording = measured
    }
    if let json {
      try ResultFile.write(
        ProgramResult(
          machine: .current(swift: swiftVersion), rounds: rounds, ratios: ratios, clients: clients, memory: memory,
          recording: recording, isComplete: only == nil), to: json)
    }
  }
}
