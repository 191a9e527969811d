import ArgumentParser
import WholeProgram

/// A client of an inspected program, for the measurement of what it costs.
struct AskProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask", abstract: "Asks an inspected program for its graph, while its input says 'ask' and not 'rest'.",
    shouldDisplay: false)

  @Argument(help: "The program's socket.")
  var socket: String

  func run() throws { try AskingClient.serve(socket) }
}
