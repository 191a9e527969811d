import ArgumentParser
import Dispatch
import Foundation
import Signals

/// Whether the live graph is recorded.
enum GraphMode: String, CaseIterable, ExpressibleByArgument, Sendable {
  case off
  /// It is on, and snapshots are taken meanwhile.
  case on
  /// It is turned on and off.
  case toggled
  /// It is on, and handler times and causes are tracked, with interruptions.
  case traced
  /// The same, and events and last values are recorded as for `signal-viz record`.
  case recorded
  /// It is recorded as in a leak check or a health check of a test.
  case checked
}

/// Runs rounds until the time is over.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs random graphs and meetings of threads, checks the laws, and says what broke.")

  @Argument(help: "For how many seconds.")
  var seconds = 60.0

  @Option(help: "Repeats the round of this seed instead of going through many.")
  var seed: UInt64?

  @Option(
    help: "Whether the live graph is recorded: off, on, toggled, traced, recorded or checked; all in turn if left out.")
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
    let removed = try without.map(NumberList.init)?.numbers ?? []
    // The main queue is served, for subscriptions that deliver there.
    let thread = Thread { [self] in
      Watch.prepareThread()
      let report = Report(seconds: seconds)
      let session = Session(
        crew: Crew(size: Session.threads), report: report, seed: seed, graph: graph, only: only, removed: removed)
      session.run(until: Watch.uptime() + seconds)
      report.printSum()
      Self.exit(withError: report.hasFindings ? ExitCode.failure : nil)
    }
    thread.stackSize = 16 << 20
    thread.start()
    dispatchMain()
  }
}
