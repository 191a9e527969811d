import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

/// The graphs of several programs, for one drawing.
struct ManyPrograms {
  /// The origin of the graphs.
  enum Origin {
    /// All running programs, with the time to watch them, and the time limits for each to respond and to be found.
    case running(time: WatchTime?, limit: Duration, finding: Duration)
    /// Snapshot files.
    case files([String])
  }

  private(set) var graphs: [GraphSnapshot]
  /// The running programs that did not respond.
  private var silent: [String] = []

  /// Queries or reads all of them. Programs that do not respond are named on standard error and skipped.
  init(_ origin: Origin, focus: GraphFocus) throws {
    switch origin {
    case .running(let time, let limit, let finding):
      (graphs, silent) = try Self.ask(time, within: limit, finding: finding)
    case .files(let paths): graphs = try Self.read(paths)
    }
    graphs = try focus.parts(of: graphs)
    if !focus.texts.isEmpty { graphs.removeAll { $0.nodes.isEmpty } }
  }

  private static func read(_ paths: [String]) throws -> [GraphSnapshot] {
    var known: [ProcessIdentity: (path: String, takenAt: Double)] = [:]
    return try paths.compactMap { path in
      let graph = try SnapshotFile.read(path, focus: GraphFocus())
      if let other = known[graph.process] {
        // A shell pattern may be given together with a file that it matches.
        guard other.takenAt != graph.takenAt else {
          Terminal.note("\(path) is drawn once: it is the same snapshot of \(graph.process.words) as an earlier file.")
          return nil
        }
        throw Failure(
          "\(other.path) and \(path) are two snapshots of \(graph.process.words), and a drawing shows each program once: give one of them. `signal-viz diff` compares them."
        )
      }
      known[graph.process] = (path, graph.takenAt)
      return graph
    }
  }

  /// The graphs of all running programs in the order of their starts, and the programs that did not respond.
  private static func ask(
    _ time: WatchTime?, within limit: Duration, finding findingLimit: Duration
  ) throws -> ([GraphSnapshot], silent: [String]) {
    let found = try ProgressLine.during("Finding the programs", limit: Int(findingLimit / .seconds(1))) {
      try Program.running(within: findingLimit)
    }
    var problems = found.problems
    var silent = found.silent
    let programs = found.programs.sorted {
      ($0.identity.startedAt, $0.identity.pid) < ($1.identity.startedAt, $1.identity.pid)
    }
    func look(_ programs: [Program]) -> [GraphSnapshot?] {
      let seconds = Int(limit / .seconds(1))
      return ProgressLine.during("Waiting for the programs", limit: seconds) {
        AtOnce.map(programs) {
          let connection = ProgramConnection(socketPath: $0.socketPath)
          if let time, time.seconds > 0 { try connection.trace(for: ProgramConnection.profileTime, within: limit) }
          return try connection.snapshot(of: GraphFocus(), within: limit)
        }
      }.enumerated().map { index, answer in
        do { return try answer.get() } catch {
          problems.append("\(error)")
          silent.append(programs[index].identity.words)
          return nil
        }
      }
    }
    var answers = zip(programs, look(programs)).compactMap { program, graph in graph.map { (program, $0) } }
    if let time, time.seconds > 0, !answers.isEmpty {
      let connections = answers.map { ProgramConnection(socketPath: $0.0.socketPath) }
      ProgramConnection.wait(until: .now + .seconds(time.seconds), profiling: connections)
      answers = zip(answers, look(answers.map(\.0))).map { before, now in
        (before.0, now?.addingActivity(since: before.1) ?? before.1)
      }
    }
    guard !answers.isEmpty else {
      throw Failure(
        problems.isEmpty
          ? Program.noneRunning : (["No program responds."] + problems).joined(separator: "\n"))
    }
    for problem in problems { Terminal.note(problem) }
    let answered = Set(answers.map { $0.0.identity.words })
    return (answers.map(\.1), silent.filter { !answered.contains($0) })
  }

  private var counts: NodeCounts { graphs.reduce(NodeCounts()) { $0 + NodeCounts(of: $1) } }
  private var nodeCount: Int { graphs.reduce(0) { $0 + $1.nodes.count } }

  /// Draws the graphs in one drawing.
  func draw(
    as kind: OutputKind, _ options: DrawingOptions, _ links: LinkChoice, _ limits: LayoutProcess.Limits,
    to place: OutputPlace
  ) throws {
    var options = options
    if !silent.isEmpty {
      let isOne = silent.count == 1
      let more = silent.count > 5 ? " and \(silent.count - 5) more" : ""
      options.headings.append(
        "\(silent.prefix(5).joined(separator: ", "))\(more) did not respond and \(isOne ? "is" : "are") not drawn; "
          + "\(isOne ? "it" : "they") may have the ends of channels that are missing here")
    }
    if let first = graphs.first {
      var all = GraphSnapshot(process: first.process, takenAt: first.takenAt)
      all.definitions = graphs.flatMap(\.definitions)
      options.sourceLink = try links.sourceLink(of: all)
    }
    switch kind {
    case .json: throw Failure("JSON is the graph of one program; give one file, --pid, --name or --socket.")
    case .dot: try place.write(Data(ProgramPictures(of: graphs, options: options).picture.dot(options: options).utf8))
    case .mermaid:
      let text = try MermaidText(of: graphs, options: options)
      try place.write(Data(text.text.utf8))
      if let excess = text.excess { Terminal.note("\(place.name == "-" ? "The text" : place.name) has \(excess).") }
    case .picture(let format):
      let picture = PictureFile(graphs: graphs, format: format, options: options, limits: limits)
      let note = try ProgressLine.during("Laying out \(nodeCount.grouped) nodes", limit: limits.seconds) {
        try picture.write(named: place.name, place.write)
      }
      if let note { Terminal.note(note) }
    }
    // Standard output carries the result and nothing else.
    guard place.name != "-" else { return }
    let programs = "\(graphs.count) program\(graphs.count == 1 ? "" : "s")"
    try Terminal.write(line: "\(place.name.withVisibleControls): \(programs), \(counts.words)")
  }
}
