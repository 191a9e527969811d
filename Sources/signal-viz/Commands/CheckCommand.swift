import ArgumentParser
import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Finds faults in a program's graph, with their locations and remedies.",
    discussion: """
      A running program is watched for a while, and keeps running: it is queried twice, and up to four times more for a backlog. \
      During that time it counts the sends of handlers and measures their time. A snapshot file is checked by itself. Two snapshot files of one process are compared; give the earlier one first.

      Each finding is a line that editors and terminals understand, followed by its notes:
        Sources/App/Feed.swift:42: warning: what was found (rule)
          note: what to do

      Exit status:
        0   nothing was found, or nothing beyond the baseline
        1   something was found
        2   no program could be queried, or a file cannot be read or written
        64  the arguments are wrong

      With --watch it keeps watching until Ctrl-C or the end of the program. A finding is printed with the time when it appears, and again \
      when it is resolved. The exit status is 1 if anything was found, even if it was resolved. JSON is one object a line then, with `event` \
      (`start`, `found`, `gone`, `end`) and `at`.

      JSON (--json) has the keys `version` (1), `program` (`name`, `pid`, `startedAt`), `watchedSeconds`, `nodeCount` (ended nodes \
      included), `liveNodeCount`, `knownCount` and `findings`, each with `rule`, `severity`, `message`, `remedy`, `place` (`fileID`, `line`, \
      `function`), `related` (`message`, `place`), `nodes`, `fingerprint` and, if the file was found, `file`.

      Examples:
        signal-viz check --name SearchBox --for 10s
        signal-viz check --name SearchBox --watch
        signal-viz check --sarif > signals.sarif
        signal-viz check before.json after.json -o findings.svg
        signal-viz check --write-baseline known.json; signal-viz check --baseline known.json
      """)

  @Argument(help: "One or two snapshot files (JSON). Without one, a running program is queried.")
  var files: [String] = []

  @OptionGroup var program: ProgramChoice

  @Option(
    name: .customLong("for"), help: "How long to watch a running program, such as 10s, 500ms or 2m; 2s if not given.")
  var time: WatchTime?

  @Flag(
    help: "Keep watching: print findings when they appear and when they are resolved, until Ctrl-C or the end.")
  var watch = false

  @Flag(help: "Print JSON; with --watch, one object a line.")
  var json = false

  @Flag(help: "Print SARIF 2.1.0, for code-review tools.")
  var sarif = false

  @Option(name: .shortAndLong, help: "Draw the findings with what feeds them, as svg, png, pdf, dot or mmd.")
  var output: String?

  @OptionGroup var links: LinkChoice

  @Option(help: "Only this rule. May be repeated; --list lists the rules.")
  var only: [String] = []

  @Option(help: "Not this rule. May be repeated.")
  var ignore: [String] = []

  @Option(help: "A file of known findings (from --json or --write-baseline): only new ones count.")
  var baseline: String?

  @Option(help: "Write the findings to this baseline file, and exit with status 0.")
  var writeBaseline: String?

  @Flag(help: "List the rules.")
  var list = false

  func validate() throws {
    try program.checkThatOneIsMeant(besidesFile: !files.isEmpty)
    guard files.count <= 2 else {
      throw ValidationError("Give one snapshot file, or two to compare; there are \(files.count).")
    }
    guard files.isEmpty || time == nil else {
      throw ValidationError("--for watches a running program; a snapshot file does not change.")
    }
    guard !(json && sarif) else { throw ValidationError("Give one of --json and --sarif, not both.") }
    if let output { try FindingsPicture.checkKind(of: output) }
    if watch { try checkWatch() }
    let names = Rules.all.map { $0.name }
    for name in only + ignore where !names.contains(name) {
      throw ValidationError("There is no rule `\(name.displayable())`. There are: \(names.joined(separator: ", ")).")
    }
  }

  func run() throws {
    if list {
      try ExitStatus.unansweredIfThrown { try Terminal.write(line: Self.table) }
      return
    }
    let isFound = try ExitStatus.unansweredIfThrown { try watch ? runWatch() : !check().findings.isEmpty }
    if isFound { throw ExitStatus.found }
  }

  /// Rejects options that have no meaning for `--watch`.
  private func checkWatch() throws {
    guard files.isEmpty else {
      throw ValidationError("--watch keeps watching a running program; a snapshot file does not change.")
    }
    guard !sarif else {
      throw ValidationError(
        "--sarif writes one document at the end, and --watch has none; --json prints one object a line.")
    }
    guard writeBaseline == nil else {
      throw ValidationError(
        "--write-baseline writes the findings of one check, and --watch keeps checking; run it without --watch first.")
    }
    guard time.map({ $0.seconds >= 0.1 }) ?? true else {
      throw ValidationError("--watch compares two snapshots: give --for 100ms or more.")
    }
  }

  /// Keeps watching.
  ///
  /// - Returns: Whether anything was found.
  private func runWatch() throws -> Bool {
    let picture = try output.map { try (file: OutputFile(path: $0), kind: OutputKind(path: $0)) }
    let watch = Watch(
      program: try program.connection(), window: time ?? WatchTime(seconds: 2), isWanted: isWanted,
      known: try baseline.map { try Baseline(path: $0) }, picture: picture,
      log: WatchLog(isJSON: json, sources: links.folder), links: links)
    return try watch.run()
  }

  private func isWanted(_ rule: String) -> Bool { (only.isEmpty || only.contains(rule)) && !ignore.contains(rule) }

  /// The rules as a table, each with what it finds.
  private static var table: String {
    let width = Rules.all.map { $0.name.count }.max() ?? 0
    return Rules.all.map { rule in
      rule.name + String(repeating: " ", count: width - rule.name.count) + "  " + rule.summary
    }.joined(separator: "\n")
  }

  /// Checks, and prints the report.
  private func check() throws -> CheckReport {
    // Errors in the paths of files are reported before the program is watched.
    let picture = try output.map { try (file: OutputFile(path: $0), kind: OutputKind(path: $0)) }
    let newBaseline = try writeBaseline.map { try OutputFile(path: $0) }
    let known = try baseline.map { try Baseline(path: $0) }
    let sources = links.folder
    let connection = try files.isEmpty ? program.connection() : nil
    var graphs =
      try connection.map { try GraphPair(asking: $0, for: time ?? WatchTime(seconds: 2)) } ?? GraphPair(files: files)
    var report = CheckReport(of: graphs, where: isWanted)
    if let connection, report.needsLaterSnapshots {
      graphs.pollAgain(asking: connection)
      report = CheckReport(of: graphs, where: isWanted)
    }
    let baselineText = try newBaseline.map { _ in try report.json(sources: sources) }
    if newBaseline != nil {
      report.leaveOut(Baseline(report.findings))
    } else if let known {
      report.leaveOut(known)
    }
    // The findings are reported even if the drawing fails.
    var problem: (any Error)?
    if let picture {
      let graph = graphs.before == nil ? graphs.now : graphs.now.addingActivity(since: graphs.before)
      do {
        var drawing = FindingsPicture(of: report.findings, in: graph, place: GraphView(graph).words)
        drawing.options.sourceLink = try links.sourceLink(of: drawing.part)
        try drawing.write(to: picture.file, as: picture.kind)
      } catch {
        problem = error
      }
    }
    // The baseline is the last file, so that no finding becomes known if another file cannot be written.
    if problem == nil, let newBaseline, let baselineText { try newBaseline.write(baselineText) }
    if json {
      try Terminal.write(json: report.json(sources: sources))
    } else if sarif {
      try Terminal.write(json: report.sarif(sources: sources))
    } else {
      try Terminal.write(Data(report.text(sources: sources).utf8))
    }
    if let problem { throw problem }
    return report
  }
}
