import ArgumentParser
import Foundation
import SignalAttach
import SignalGraph
import SignalPicture
import SignalRendering

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draws a program's graph, those of all programs, or those of snapshot files.",
    discussion: """
      --focus and --depth select a part of the graph, and only that part is requested from the program: a small part of a large graph \
      arrives at once.

      With --every-program, or with several files, each program is a cluster. Programs that name the same channel, one with `named(_:link: \
      .to("orders"))` and another with `.from("orders")`, are connected. A file that is given twice is drawn once. Two snapshots of one \
      program are not drawn together; `diff` compares them. A recording is drawn as it was at its end.

      With --watch the file is redrawn when nodes or edges appear or disappear, or a node ends, fails or leaks, until Ctrl-C or the end of \
      the program. It is replaced atomically, so an image viewer or a browser that reloads it always shows a complete drawing, and a node \
      stays near its position. A terminal shows the last change in one line; a pipe gets a line for each change:
        10:32:14 live.svg: 25 nodes, 24 edges
        10:32:20 +3 nodes (emitter Feed.swift:12, map Feed.swift:12, subscribe Feed.swift:14), −1 node (subscribe App.swift:9): 27 nodes, 25 edges
        10:32:41 SearchBox (pid 123) goes on: 2 pictures in 27 s.

      Exit status: 0; 1 if no program responded, a file cannot be read or written, or the layout failed; 64 if the arguments are wrong.

      Examples:
        signal-viz render --name SearchBox -o live.svg
        signal-viz render --name SearchBox --focus Feed.swift:42 --depth 2 -o - --format mmd
        signal-viz render --name SearchBox --watch -o live.svg
        signal-viz render --every-program -o all.svg
        signal-viz render snapshot.json --all -o everything.pdf
        signal-viz render --name SearchBox --source-root . --link vscode -o live.svg
      """)

  @Argument(
    help: "Snapshot files (JSON), also of several programs for one drawing. Without one, a running program is queried.")
  var files: [String] = []

  @Flag(help: "All running programs, in one drawing.")
  var everyProgram = false

  @OptionGroup var program: ProgramChoice

  @Option(
    name: .shortAndLong,
    help: "The file to write; its extension is one of \(OutputKind.list). With - the standard output.")
  var output: String

  @Option(
    help:
      "The format, one of \(OutputKind.list). The default is that of the extension, and SVG for the standard output.")
  var format: String?

  @OptionGroup var drawing: DrawingChoice

  @OptionGroup var links: LinkChoice

  @Option(
    name: .customLong("for"),
    help:
      "Watch a running program for so long, such as 2s, to show rates, hot and idle nodes, and what handlers send in that time."
  )
  var time: WatchTime?

  @Flag(help: "Redraw a running program whenever its graph changes, until Ctrl-C or the program exits.")
  var watch = false

  @Option(help: "With --watch: how often to poll the program, such as 500ms or 5s; 1s if not given.")
  var every: WatchTime?

  @Flag(help: "With --watch: also redraw when only figures have changed.")
  var counts = false

  @Option(help: "How many seconds to wait for the program's response; 10 if not given.")
  var timeout: Int?

  @Option(help: "How many seconds the layout may take.")
  var timeLimit = 60

  @Option(help: "How many megabytes of address space the layout may take; 0 for no limit.")
  var memoryLimit = 2_048

  func validate() throws {
    try OutputKind(path: output, format: format).checkThatReadable(at: output)
    try program.checkThatOneIsMeant(besidesFile: !files.isEmpty)
    if everyProgram, !files.isEmpty || program.isGiven {
      throw ValidationError("--every-program draws all that run: give no file, --pid, --name or --socket with it.")
    }
    if everyProgram || files.count > 1, case .json = try OutputKind(path: output, format: format) {
      throw ValidationError(
        "JSON is the graph of one program: give one file, or choose with --pid, --name or --socket.")
    }
    guard files.isEmpty || time == nil else {
      throw ValidationError("--for watches a running program; a snapshot file does not change.")
    }
    try checkWatch()
    if let timeout, !(1...86_400).contains(timeout) {
      throw ValidationError("--timeout \(timeout) is not possible; give 1 to 86400 seconds.")
    }
    guard (1...86_400).contains(timeLimit) else {
      throw ValidationError("--time-limit \(timeLimit) is not possible; give 1 to 86400 seconds.")
    }
    guard memoryLimit == 0 || (160...1_048_576).contains(memoryLimit) else {
      throw ValidationError("--memory-limit \(memoryLimit) is not possible; give 160 to 1048576 megabytes, or 0.")
    }
  }

  private func checkWatch() throws {
    guard watch else {
      guard every == nil, !counts else { throw ValidationError("--every and --counts need --watch.") }
      return
    }
    guard files.isEmpty, !everyProgram, time == nil else {
      throw ValidationError("--watch draws one running program: give no file, --every-program or --for with it.")
    }
    guard output != "-" else {
      throw ValidationError("--watch replaces a file: give its name, or render once with -o -.")
    }
    if case .json = try OutputKind(path: output, format: format) {
      throw ValidationError("--watch draws a picture (\(OutputKind.pictures)); render once for a snapshot as JSON.")
    }
    if let every, every.seconds < 0.1 {
      throw ValidationError("--every \(every.words) is not possible; give 100ms or more.")
    }
  }

  private var responseLimit: Duration { .seconds(timeout ?? 10) }

  private var limits: LayoutProcess.Limits {
    LayoutProcess.Limits(seconds: timeLimit, megabytes: memoryLimit, areOptions: true)
  }

  func run() throws {
    if watch { return try runWatch() }
    let kind = try OutputKind(path: output, format: format)
    var options = drawing.options
    let file = try OutputPlace(path: output)
    if everyProgram || files.count > 1 {
      let origin: ManyPrograms.Origin =
        everyProgram ? .running(time: time, limit: responseLimit, finding: .seconds(timeout ?? 3)) : .files(files)
      let programs = try ManyPrograms(origin, focus: drawing.part)
      return try programs.draw(as: kind, options, links, limits, to: file)
    }
    let snapshot = try snapshot(of: drawing.part)
    options.sourceLink = try links.sourceLink(of: snapshot)
    switch kind {
    case .json: try file.write(snapshot.json(pretty: true).withEscapedControls)
    case .dot: try file.write(Data(snapshot.dot(options: options).utf8))
    case .mermaid:
      let text = try MermaidText(of: snapshot, options: options)
      try file.write(Data(text.text.utf8))
      if let excess = text.excess { Terminal.note("\(output == "-" ? "The text" : output) has \(excess).") }
    case .picture(let format):
      let picture = PictureFile(graph: snapshot, format: format, options: options, limits: limits)
      let note = try ProgressLine.during("Laying out \(snapshot.nodes.count.grouped) nodes", limit: timeLimit) {
        try picture.write(named: output, file.write)
      }
      if let note { Terminal.note(note) }
    }
    // Standard output carries the result and nothing else.
    guard output != "-" else { return }
    try Terminal.write(
      line: "\(output.withVisibleControls): \(snapshot.process.words), \(NodeCounts(of: snapshot).words)")
  }

  private func runWatch() throws {
    let file = try OutputFile(path: output)
    let watch = PictureWatch(
      program: try program.connection(), focus: drawing.part, interval: every ?? WatchTime(seconds: 1),
      patience: responseLimit, drawsCounts: counts, file: file, kind: try OutputKind(path: output, format: format),
      options: drawing.options, links: links, sources: links.folder, limits: limits)
    // To interrupt it before the first response is no failure either.
    do { try watch.run() } catch is ProgramConnection.Interrupted {}
  }

  /// The requested part of the graph. A program is queried for that part only.
  private func snapshot(of focus: GraphFocus) throws -> GraphSnapshot {
    if let file = files.first { return try SnapshotFile.read(file, focus: focus) }
    let connection = try program.connection()
    if let time, time.seconds > 0 {
      try connection.trace(for: ProgramConnection.profileTime, within: responseLimit)
    }
    let snapshot = try look(at: focus, of: connection)
    guard let time, time.seconds > 0 else { return snapshot }
    ProgramConnection.wait(until: .now + .seconds(time.seconds), profiling: [connection])
    return try look(at: focus, of: connection).addingActivity(since: snapshot)
  }

  private func look(at focus: GraphFocus, of program: ProgramConnection) throws -> GraphSnapshot {
    let progress = AnswerProgress()
    var program = program
    program.received = { progress.set($0) }
    return try ProgressLine.during("Waiting for the program", progress: { progress.words }) {
      try program.snapshot(of: focus, within: responseLimit)
    }
  }
}
