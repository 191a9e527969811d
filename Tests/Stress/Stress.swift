import ArgumentParser
import Foundation

@main
struct Stress: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Races the library's laws: random graphs on several threads, and threads that meet to do what races.",
    subcommands: [Run.self, Sends.self],
    defaultSubcommand: Run.self
  )
}
