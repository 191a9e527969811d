import ArgumentParser
import Foundation
import Signals

/// Whether the live graph is recorded.
enum GraphMode: String, CaseIterable, ExpressibleByArgument, Sendable {
  case off, on, toggled
  /// It is on, and what handlers do and what causes values is traced now and then.
  case traced
}

/// Runs rounds until the time is over.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs random graphs and meetings of threads, checks the laws, and says what broke.")

  @Argument(help: "For how many seconds.")
  var seconds = 60.0

  @Option(help: "Repeats the round of this seed instead of going through many.")
  var seed: UInt64?

  @Option(help: "Whether the live graph is recorded: off, on, toggled or traced; all in turn if left out.")
  var graph: GraphMode?

  @Option(help: "Runs one kind of round: \"graphs\", or the name of a meeting.")
  var only: String?

  @Option(help: ArgumentHelp("Leaves parts of the graph of a seed out, as a finding tells.", valueName: "numbers"))
  var without: String?

  func validate() throws {
    if let only, only != "graphs", !meetings.contains(where: { $0.name == only }) {
      throw ValidationError("there is no \(only); there are graphs, \(meetings.map(\.name).joined(separator: ", "))")
    }
    if seed != nil, only == nil { throw ValidationError("a seed needs --only, as a finding tells") }
  }

  func run() throws {
    Watch.begin()
    // Subscribers with an owner have no closure for failures. Only failures that nobody planned are worth a line.
    UnhandledFailure.handler = { failure in
      if !(failure.error is PlannedFailure) { say("\(failure)") }
    }
    let report = Report(seconds: seconds)
    let session = Session(
      crew: Crew(size: Session.threads), report: report, seed: seed, graph: graph, only: only,
      removed: try without.map(NumberList.init)?.numbers ?? [])
    session.run(until: Watch.uptime() + seconds)
    report.printSum()
    if report.hasFindings { throw ExitCode.failure }
  }
}
