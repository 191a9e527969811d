import ArgumentParser
import Foundation
import SignalAttach
import SignalGraph
import SignalPicture

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the programs that can be inspected.",
    discussion: """
      Each program is a line: its name, its live nodes, its ended nodes that are still stored, its live subscriptions, the values a second \
      that these received, its start time, and the path of its socket. A program that does not respond is named on standard error.

      JSON (--json) has the keys `version` (1), `programs`, each with `name`, `pid`, `startedAt`, `socket`, and if the program reported them \
      `nodes` (ended ones included), `liveNodes`, `subscriptions`, `valuesPerSecond` and `waiting`, and `problems`, a list of strings.

      With --dead it lists the saved graphs of programs that were killed or trapped. A program saves its graph if it runs with \
      SIGNALS_KEEP_GRAPH=1. `render`, `check` and `why` read the file.

      Exit status: 0, also if no program runs; 1 if the directories of sockets cannot be read; 64 if the arguments are wrong.

      Examples:
        signal-viz list
        signal-viz list --for 5s
        signal-viz list --json
        signal-viz list --dead
      """)

  @Option(
    name: .customLong("for"),
    help: "The time for which to count values, such as 500ms or 5s, at most 10s; 0 for no rates. The default is 0.5 s.")
  var time: WatchTime?

  @Flag(help: "List programs that were killed or trapped, if they saved a copy of their graph.")
  var dead = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard let time else { return }
    guard !dead else {
      throw ValidationError("--for counts values of programs that run; --dead lists those that do not.")
    }
    guard time.seconds <= 10 else { throw ValidationError("--for \(time.words) is not possible; give at most 10s.") }
  }

  func run() throws {
    if dead { return try DeadPrograms.list(json: json) }
    let found = try Program.running()
    var problems = found.problems
    let time = Duration.seconds(time?.seconds ?? 0.5)
    let answers = AtOnce.map(found.programs) { program in
      try ProgramConnection(socketPath: program.socketPath).summary(of: time, within: .seconds(10))
    }
    let entries = zip(found.programs, answers).map { program, answer in
      switch answer {
      case .success(let summary): return ListedPrograms.Entry(program, summary)
      case .failure(let error):
        problems.append("\(error)")
        return ListedPrograms.Entry(program, nil)
      }
    }
    let list = ListedPrograms(programs: entries, problems: problems.map { $0.withVisibleControls })
    if json {
      try Terminal.write(json: list.json())
    } else {
      for problem in problems { Terminal.note(problem) }
      if !entries.isEmpty {
        try Terminal.write(line: list.text)
      } else if problems.isEmpty {
        // Programs that do not respond are running all the same.
        Terminal.note(Program.noneRunning)
      }
    }
    guard found.isAnyDirectoryRead else { throw ExitCode(1) }
  }
}

/// The running programs, with a few numbers for each.
struct ListedPrograms: Encodable {
  struct Entry: Encodable {
    var name: String
    var pid: Int32
    var startedAt: Double
    var socket: String
    var nodes: Int?
    var liveNodes: Int?
    var subscriptions: Int?
    var valuesPerSecond: Double?
    var waiting: UInt64?

    init(_ program: Program, _ summary: GraphSummary?) {
      name = program.identity.name.displayable()
      pid = program.identity.pid
      startedAt = program.identity.startedAt
      socket = program.socketPath
      nodes = summary?.nodeCount
      liveNodes = summary?.liveNodeCount
      subscriptions = summary?.subscriptionCount
      valuesPerSecond = summary?.rate.flatMap(Self.hundredths)
      waiting = summary?.waiting
    }

    /// Rounds a rate to hundredths; nil if it is not finite, because JSON cannot express that.
    private static func hundredths(_ rate: Double) -> Double? {
      let rounded = (rate * 100).rounded() / 100
      // The product of a very large rate is infinite; such a rate has no fraction.
      return rounded.isFinite ? rounded : rate.isFinite ? rate : nil
    }
  }

  var version = 1
  var programs: [Entry]
  var problems: [String]

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// A number, or a dash.
  static func words(_ number: Int?) -> String { number.map { UInt64(max(0, $0)).grouped } ?? "-" }

  /// The programs as a table, with a dash for each value that a program did not report.
  var text: String {
    TextTable(
      columns: [
        .init(title: "NAME"), .init(title: "PID", isNumber: true), .init(title: "NODES", isNumber: true),
        .init(title: "ENDED", isNumber: true), .init(title: "SUBSCRIPTIONS", isNumber: true),
        .init(title: "VALUES/S", isNumber: true), .init(title: "SINCE"),
        .init(title: "SOCKET"),
      ],
      rows: programs.map { entry in
        [
          entry.name, "\(entry.pid)", ListedPrograms.words(entry.liveNodes ?? entry.nodes),
          ListedPrograms.words(entry.liveNodes.flatMap { live in entry.nodes.map { $0.subtractingSaturated(live) } }),
          ListedPrograms.words(entry.subscriptions), entry.valuesPerSecond?.rateWords ?? "-",
          Date(timeIntervalSince1970: entry.startedAt).formatted(.iso8601), entry.socket,
        ]
      }
    ).lines.joined(separator: "\n")
  }
}
