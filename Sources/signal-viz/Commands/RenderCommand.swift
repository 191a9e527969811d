import ArgumentParser
import Foundation
import SignalGraph
import SignalPicture
import SignalRendering

struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draws a program's graph, or one from a snapshot file.")

  @Argument(help: "A snapshot file (JSON). Without one, a running program is asked.")
  var file: String?

  @Option(help: "The process identifier of the program.")
  var pid: Int32?

  @Option(help: "The name of the program.")
  var name: String?

  @Option(help: "The path of the program's socket.")
  var socket: String?

  @Option(name: .shortAndLong, help: "The file to write; its extension is one of \(OutputKind.list).")
  var output: String

  @Option(help: "Only what feeds, or is fed by: a node's id, name, kind, or place such as Feed.swift:42.")
  var focus: String?

  @Option(help: "With --focus: how many edges to follow.")
  var depth: Int?

  @Flag(help: "Frames around the nodes of each file.")
  var clusterByFile = false

  @Flag(help: "Values travel from left to right instead of from top to bottom.")
  var leftToRight = false

  @Flag(help: "Draw also what finished or was disposed; JSON has it always.")
  var ended = false

  @Flag(help: "Draw equal chains one by one instead of once with their number.")
  var noBundles = false

  @Flag(help: "Draw runs of operators as one box.")
  var fold = false

  @Option(help: "Links for nodes in SVG and PDF, such as 'https://example.com/Sources/{file}#L{line}'.")
  var link: String?

  @Option(help: "How many seconds the layout may take.")
  var timeLimit = 60

  @Option(help: "How many megabytes of address space the layout may take; 0 for no limit.")
  var memoryLimit = 2_048

  func validate() throws {
    _ = try OutputKind(path: output)
    let sources = [file != nil, pid != nil, name != nil, socket != nil].filter { $0 }.count
    guard sources <= 1 else {
      throw ValidationError("Give one of a snapshot file, --pid, --name and --socket, not several.")
    }
    if let depth {
      guard depth >= 0 else { throw ValidationError("--depth \(depth) is negative; give 0 or more edges.") }
      guard focus != nil else { throw ValidationError("--depth needs --focus: depth counts edges from there.") }
    }
    guard (1...86_400).contains(timeLimit) else {
      throw ValidationError("--time-limit \(timeLimit) is not possible; give 1 to 86400 seconds.")
    }
    guard memoryLimit == 0 || (256...1_048_576).contains(memoryLimit) else {
      throw ValidationError("--memory-limit \(memoryLimit) is not possible; give 256 to 1048576 megabytes, or 0.")
    }
  }

  func run() async throws {
    let kind = try OutputKind(path: output)
    let options = try DrawingOptions(
      direction: leftToRight ? .right : .down, clustersByFile: clusterByFile, showsEnded: ended,
      bundlesFrom: noBundles ? nil : 3, foldsLinearRuns: fold,
      sourceLink: link.map(SourceLink.init(pattern:)))
    let file = try OutputFile(path: output)
    var snapshot = try await snapshot()
    if let focus { snapshot = try snapshot.focused(on: focus, depth: depth) }
    switch kind {
    case .json: try file.write(snapshot.json(pretty: true))
    case .dot: try file.write(Data(snapshot.dot(options: options).utf8))
    case .mermaid: try file.write(Data(snapshot.mermaid(options: options).utf8))
    case .picture(let format):
      let plan = try LayoutPlan(for: snapshot, format: format, options: options)
      let limits = LayoutProcess.Limits(seconds: timeLimit, megabytes: memoryLimit)
      try file.write { try LayoutProcess.run(plan, limits: limits, into: $0) }
    }
    print("\(output): \(snapshot.process.name) (pid \(snapshot.process.pid)), \(snapshot.nodes.count) nodes")
  }

  private func snapshot() async throws -> GraphSnapshot {
    if let file { return try SnapshotFile.read(file) }
    let limit = Duration.seconds(10)
    if let socket {
      return try await ProgramConnection(socketPath: socket).snapshot(within: limit)
    }
    let program = try await Program.find(pid: pid, name: name)
    return try await ProgramConnection(socketPath: program.socketPath).snapshot(within: limit)
  }
}
