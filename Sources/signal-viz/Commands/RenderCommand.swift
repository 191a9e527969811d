import ArgumentParser
import Foundation
import SignalAttach
import SignalGraph
import SignalPicture
import SignalRendering

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draws a program's graph, or one from a snapshot file.",
    discussion: """
      Of a program only the part is asked for that --focus and --depth leave: a small part of a large graph is there at once.

      Examples:
        signal-viz render --name SearchBox -o live.svg
        signal-viz render --name SearchBox --focus Feed.swift:42 --depth 2 -o - --format mmd
        signal-viz render snapshot.json --all -o everything.pdf
      """)

  @Argument(help: "A snapshot file (JSON). Without one, a running program is asked.")
  var file: String?

  @OptionGroup var program: ProgramChoice

  @Option(
    name: .shortAndLong,
    help: "The file to write; its extension is one of \(OutputKind.list). With - the standard output.")
  var output: String

  @Option(
    help: "What to write, one of \(OutputKind.list); else the extension tells it, and SVG goes to the standard output.")
  var format: String?

  @Option(
    help: "Only what feeds, or is fed by: a node's id, name, kind, or place such as Feed.swift:42. May be repeated.")
  var focus: [String] = []

  @Option(help: "With --focus: how many edges to follow.")
  var depth: Int?

  @Flag(help: "Frames around the nodes of each file.")
  var clusterByFile = false

  @Flag(help: "Values travel from left to right; else in the direction that gives the better shape.")
  var leftToRight = false

  @Flag(help: "Values travel from top to bottom.")
  var topToBottom = false

  @Flag(help: "Draw also what finished or was disposed; JSON has it always.")
  var ended = false

  @Flag(help: "Draw equal chains one by one instead of once with their number.")
  var noBundles = false

  @Flag(help: "Draw runs of operators as one box.")
  var fold = false

  @Flag(
    help:
      "Draw each operator, however many there are; else less detail from \(DrawingOptions().boxLimit ?? 0) boxes on.")
  var all = false

  @Option(help: "Links for nodes in SVG and PDF, such as 'https://example.com/Sources/{file}#L{line}'.")
  var link: String?

  @Option(
    name: .customLong("for"),
    help:
      "Watch a running program for so long, such as 2s, to say how many values pass in a second, and what is hot or idle."
  )
  var time: WatchTime?

  @Option(help: "How many seconds the program may take to answer.")
  var timeout = 10

  @Option(help: "How many seconds the layout may take.")
  var timeLimit = 60

  @Option(help: "How many megabytes of address space the layout may take; 0 for no limit.")
  var memoryLimit = 2_048

  func validate() throws {
    try OutputKind(path: output, format: format).checkThatReadable(at: output)
    try program.checkThatOneIsMeant(besidesFile: file != nil)
    if let depth {
      guard AttachRequest.depths.contains(depth) else {
        throw ValidationError("--depth \(depth) is not possible; give 0 to \(AttachRequest.depths.upperBound) edges.")
      }
      guard !focus.isEmpty else { throw ValidationError("--depth needs --focus: depth counts edges from there.") }
    }
    guard !(leftToRight && topToBottom) else {
      throw ValidationError("--left-to-right and --top-to-bottom exclude each other.")
    }
    guard !(all && fold) else { throw ValidationError("--all draws each operator; --fold draws runs as one box.") }
    guard file == nil || time == nil else {
      throw ValidationError("--for watches a running program; a snapshot file stays as it is.")
    }
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout \(timeout) is not possible; give 1 to 86400 seconds.")
    }
    guard (1...86_400).contains(timeLimit) else {
      throw ValidationError("--time-limit \(timeLimit) is not possible; give 1 to 86400 seconds.")
    }
    guard memoryLimit == 0 || (160...1_048_576).contains(memoryLimit) else {
      throw ValidationError("--memory-limit \(memoryLimit) is not possible; give 160 to 1048576 megabytes, or 0.")
    }
  }

  func run() throws {
    let kind = try OutputKind(path: output, format: format)
    let options = try DrawingOptions(
      direction: leftToRight ? .right : topToBottom ? .down : .fitting, clustersByFile: clusterByFile,
      showsEnded: ended, bundlesFrom: noBundles || all ? nil : 3, foldsLinearRuns: fold,
      boxLimit: all ? nil : DrawingOptions().boxLimit,
      sourceLink: link.map(SourceLink.init(pattern:)))
    let file = try OutputPlace(path: output)
    let snapshot = try snapshot(of: GraphFocus(focus, depth: depth))
    switch kind {
    case .json: try file.write(snapshot.json(pretty: true))
    case .dot: try file.write(Data(snapshot.dot(options: options).utf8))
    case .mermaid: try file.write(Data(snapshot.mermaid(options: options).utf8))
    case .picture(let format):
      let limits = LayoutProcess.Limits(seconds: timeLimit, megabytes: memoryLimit)
      let picture = PictureFile(graph: snapshot, format: format, options: options, limits: limits)
      let note = try ProgressLine.during("Laying out \(snapshot.nodes.count.grouped) nodes", limit: timeLimit) {
        try picture.write(named: output, file.write)
      }
      if let note { Terminal.note(note) }
    }
    // What is on the standard output is the result, and nothing else.
    guard output != "-" else { return }
    try Terminal.write(
      line: "\(output.withVisibleControls): \(snapshot.process.words), \(snapshot.nodes.count) nodes")
  }

  /// The part of the graph that is wanted. Of a program, only that part is asked for.
  private func snapshot(of focus: GraphFocus) throws -> GraphSnapshot {
    if let file { return try SnapshotFile.read(file, focus: focus) }
    let connection = try program.connection()
    let snapshot = try look(at: focus, of: connection)
    guard let time, time.seconds > 0 else { return snapshot }
    // Safe: to let that much time pass is what was asked for.
    Thread.sleep(forTimeInterval: time.seconds)
    return try look(at: focus, of: connection).addingActivity(since: snapshot)
  }

  private func look(at focus: GraphFocus, of program: ProgramConnection) throws -> GraphSnapshot {
    try ProgressLine.during("Waiting for the program's answer", limit: timeout) {
      try program.snapshot(of: focus, within: .seconds(timeout))
    }
  }
}
