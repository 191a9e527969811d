import ArgumentParser
import Foundation
import SignalGraph
import SignalPicture

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Shows a recording: what happened when, as a table or as marbles.",
    discussion: """
      Without -o it prints a line for each event, in the order of time: when it began, how long it took, on which thread, what happened \
      where, and by which cause.

      With -o it draws what happened at the locations as marbles on one time axis; marbles with the same number have the same cause. Without \
      --place it draws the busiest sources and handlers. With --at and -o it draws the graph as it was at that time.

      Exit status: 0; 2 if a file cannot be read or written, or a location has no node; 64 if the arguments are wrong.

      Examples:
        signal-viz replay recording.json
        signal-viz replay recording.json --place Feed.swift:42 --place keystrokes --limit 50
        signal-viz replay recording.json --place results -o marbles.svg
        signal-viz replay recording.json --at 1.2s -o graph.svg
      """)

  @Argument(help: "A recording, as `signal-viz record` writes it.")
  var file: String

  @Option(
    help: "Only events at a location: a node's id, name or kind, or a location such as Feed.swift:42. May be repeated.")
  var place: [String] = []

  @Option(help: "The end time, counted from the beginning, such as 1.2s; with -o the graph as it was at that time.")
  var at: WatchTime?

  @Option(help: "The maximum number of lines.")
  var limit = 1_000

  @Option(
    name: .shortAndLong,
    help: "Draw marbles (svg, png, pdf), or with --at the graph (\(OutputKind.list)); - for the standard output.")
  var output: String?

  @Option(help: "With -o: the format, if the file's extension does not determine it.")
  var format: String?

  func validate() throws {
    guard (1...10_000_000).contains(limit) else {
      throw ValidationError("--limit \(limit) is not possible; give 1 to 10000000 lines.")
    }
    guard output != nil || format == nil else { throw ValidationError("--format needs -o: it says what to draw.") }
    if let output { try kind(of: output).checkThatReadable(at: output) }
  }

  private func kind(of output: String) throws -> OutputKind {
    guard at == nil else { return try OutputKind(path: output, format: format) }
    let kind = try OutputKind(path: output, format: format, offering: MarblesCommand.formats)
    guard case .picture = kind else {
      throw ValidationError(
        "Marbles are drawn as one of \(MarblesCommand.formats); --at 1s draws the graph, as \(OutputKind.list).")
    }
    return kind
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown {
      let place = try output.map { try OutputPlace(path: $0) }
      let recording = try RecordingFile.read(file)
      let nodes = try nodes(of: recording)
      if let at, at.seconds > recording.seconds + 0.05 {
        throw Failure(
          "--at \(at.words) is after the end of the recording, which took \(recording.seconds.formatted(.number.precision(.fractionLength(0...1)))) s."
        )
      }
      let end = at.map { UInt64(nanosecondsOf: $0.seconds) }
      guard let output, let place else {
        for note in recording.notes { Terminal.note(note) }
        return try Terminal.write(line: ReplayText(recording: recording, nodes: nodes, end: end, limit: limit).text)
      }
      var words = recording.words
      if let end, let at {
        let graph = recording.graph(at: end)
        try draw(graph, nodes, as: kind(of: output), to: place)
        words = "\(NodeCounts(of: graph).words), as it was at \(at.words)"
      } else {
        guard case .picture(let format) = try kind(of: output) else {
          throw Failure("Marbles are drawn as one of \(MarblesCommand.formats); --at draws the graph.")
        }
        try MarblePaint.write(
          [ReplayMarbles(recording: recording, nodes: nodes, end: end).picture()],
          options: ReplayMarbles.options, as: format, to: place,
          advice: "Choose less with --place.")
      }
      guard output != "-" else { return }
      try Terminal.write(line: "\(output.withVisibleControls): \(recording.process.words), \(words)")
    }
  }

  /// The selected nodes; nil without a selection.
  private func nodes(of recording: Recording) throws -> Set<UInt64>? {
    guard !place.isEmpty else { return nil }
    let names = RecordedNames(recording.graphs)
    var all: Set<UInt64> = []
    for words in place {
      let found = names.nodes(matching: words)
      guard !found.isEmpty else {
        throw Failure(
          "Nothing in the recording is `\(words.displayable())`: give a node's id, name, kind, or a location such as Feed.swift:42."
        )
      }
      all.formUnion(found)
    }
    return all
  }

  private func draw(_ graph: GraphSnapshot, _ nodes: Set<UInt64>?, as kind: OutputKind, to place: OutputPlace) throws {
    var graph = graph
    if let nodes { graph = graph.part(around: nodes.intersection(graph.nodes.map(\.id)), depth: nil) }
    var options = DrawingOptions(showsEnded: false)
    options.headings = ["As it was at \(at?.words ?? "the end") of the recording"]
    switch kind {
    case .json: try place.write(graph.json(pretty: true).withEscapedControls)
    case .dot: try place.write(Data(graph.dot(options: options).utf8))
    case .mermaid: try place.write(Data(graph.mermaid(options: options).utf8))
    case .picture(let format):
      let note = try PictureFile(graph: graph, format: format, options: options).write(named: place.name, place.write)
      if let note { Terminal.note(note) }
    }
  }
}
