import ArgumentParser
import Foundation
import SignalFindings
import SignalGraph
import SignalPicture

struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Explains why values reached a location, or why none did.",
    discussion: """
      A running program is watched for a while, and keeps running. The answer names the source of the values; or the first location upstream \
      at which they stop, what it waits for, and for how long. Then come the last causes, if they were recorded: step by step, with times \
      and threads, from the first send. Below is the path upstream, with a line for each node: a source with the number of values that it \
      sent, an operator with the number that it gave, a subscriber with the number that it got. Each location is printed once.

      Exit status: 0; 2 if no program could be queried, a file cannot be read, or the location has no node; 64 if the arguments are wrong.

      Examples:
        signal-viz why results --name SearchBox
        signal-viz why Feed.swift:42 --for 10s
        signal-viz why 17 before.json after.json --json
        signal-viz why Feed.swift:42 -o why.svg
      """)

  @Argument(help: "What to explain: a node's id, name, kind, or location such as Feed.swift:42.")
  var place: String

  @Argument(help: "One or two snapshot files (JSON). Without one, a running program is queried.")
  var files: [String] = []

  @OptionGroup var program: ProgramChoice

  @Option(
    name: .customLong("for"), help: "How long to watch a running program, such as 10s, 500ms or 2m; 2s if not given.")
  var time: WatchTime?

  @Option(help: "The maximum number of nodes to explain, if several match.")
  var limit = 3

  @Flag(help: "Print JSON.")
  var json = false

  @Option(name: .shortAndLong, help: "Draw the path upstream and that of the last cause, as svg, png, pdf, dot or mmd.")
  var output: String?

  @OptionGroup var links: LinkChoice

  func validate() throws {
    try program.checkThatOneIsMeant(besidesFile: !files.isEmpty)
    guard files.count <= 2 else {
      throw ValidationError("Give one snapshot file, or two to compare; there are \(files.count).")
    }
    guard files.isEmpty || time == nil else {
      throw ValidationError("--for watches a running program; a snapshot file does not change.")
    }
    if let output { try FindingsPicture.checkKind(of: output, json: "the answer") }
    guard limit > 0 else { throw ValidationError("--limit \(limit) is not possible; give 1 or more.") }
  }

  /// Suggestions from the graph: the nearest lines of a known file, otherwise some names, kinds and locations.
  private static func alternatives(to place: String, in graph: GraphSnapshot) -> String {
    if case .line(let file, let line) = GraphFocus.Target(place) {
      let there = graph.nodes(matching: .file(file))
      let used = Set(graph.nodes.filter { there.contains($0.id) }.map(\.definition))
      var kinds: [Int: Set<String>] = [:]
      for definition in graph.definitions where used.contains(definition.id) {
        kinds[definition.line, default: []].insert(definition.kind)
      }
      func distance(_ other: Int) -> UInt { other.subtractingSaturated(line).magnitude }
      let nearest = kinds.keys.sorted { (distance($0), $0) < (distance($1), $1) }.prefix(3).sorted()
      if !nearest.isEmpty {
        let lines = nearest.map { "\($0) (\((kinds[$0] ?? []).sorted().prefix(3).joined(separator: ", ")))" }
        return "the nearest lines there that have something are \(lines.joined(separator: ", "))."
          .displayable(limit: 500)
      }
    }
    let usage = "give a node's id, name, kind, or location such as Feed.swift:42."
    do throws(GraphFocusError) {
      _ = try graph.focused(on: GraphFocus(place))
      return usage
    } catch {
      guard !error.candidates.isEmpty else { return usage }
      return "\(usage) It has, for example, \(error.candidates.joined(separator: ", ").displayable(limit: 500))."
    }
  }

  func run() throws {
    try ExitStatus.unansweredIfThrown {
      let picture = try output.map { try (file: OutputFile(path: $0), kind: OutputKind(path: $0)) }
      let graphs =
        try files.isEmpty
        ? GraphPair(asking: program.connection(), for: time ?? WatchTime(seconds: 2)) : GraphPair(files: files)
      let observation = Observation(graphs.now, since: graphs.before)
      let wanted = graphs.now.nodes(matching: GraphFocus.Target(place))
      let all = observation.now.snapshot.nodes.filter { wanted.contains($0.id) }
      // The most downstream nodes represent a chain, unless it is a cycle.
      let lowest = all.filter { node in
        observation.now.outputs[node.id, default: []].allSatisfy { !wanted.contains($0.target) }
      }
      // Live nodes come first, the newest of them at the top, as these are the likeliest subject.
      let nodes = (lowest.isEmpty ? all : lowest)
        .sorted { ($0.state == .live ? 1 : 0, $0.id) > ($1.state == .live ? 1 : 0, $1.id) }
      let gone = nodes.isEmpty ? EndedPlace.all(at: place, in: observation.now) : []
      guard !nodes.isEmpty || !gone.isEmpty else {
        throw Failure(
          "Nothing is at `\(place.displayable(limit: 200))` in \(graphs.now.process.name.displayable()); \(Self.alternatives(to: place, in: graphs.now))"
        )
      }
      let report = WhyReport(
        explanations: nodes.prefix(limit).map { Explanation(of: $0, in: observation) }, ended: gone, count: nodes.count,
        watchedSeconds: observation.seconds)
      // One of both may fail, and the other is still useful.
      let drawn = Result {
        guard let picture else { return }
        var drawing = FindingsPicture(of: report.explanations, in: graphs.now, place: observation.now.words)
        drawing.options.sourceLink = try links.sourceLink(of: drawing.part)
        try drawing.write(to: picture.file, as: picture.kind)
      }
      if json {
        try Terminal.write(json: report.json())
      } else {
        try Terminal.write(Data(report.text(place: observation.now.words).utf8))
      }
      try drawn.get()
    }
  }
}
