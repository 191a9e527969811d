import Foundation
import SampleGraphs
import SignalGraph
import SignalPicture
import Testing

@testable import signal_viz

/// `signal-viz render --watch`: a picture that follows a running program.
@Suite(.timeLimit(.minutes(20))) struct WatchCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func watch(_ arguments: String) throws -> RunningTool {
    try RunningTool(
      ["render", "--watch", "--every", "100ms"] + arguments.split(separator: " ").map(String.init), in: folder.url)
  }

  private func picture(_ name: String) throws -> String {
    try String(contentsOf: folder.file(name), encoding: .utf8)
  }

  private func graph(_ change: (inout GraphSnapshot) -> Void = { _ in }) -> GraphSnapshot {
    var graph = SampleGraphs.searchBox
    graph.process = ProcessIdentity(name: "Fake", pid: 511, startedAt: 1_700_000_000)
    change(&graph)
    return graph
  }

  @Test func itIsDrawnAgainWhenTheStructureChangesOnly() async throws {
    let program = try FakeProgram("Fake", pid: 511, in: folder.file("sockets"))
    defer { program.end() }
    let tool = try watch("-o live.dot")
    let first = try #require(await tool.line { _ in true })
    #expect(first.contains(/^[0-9:]{8} live\.dot: 17 live nodes, 3 ended, [0-9]+ edges$/), "\(first)")
    let before = try picture("live.dot")
    // Figures alone are no news: the next line is that of the node that comes.
    try program.serve(graph { for index in $0.nodes.indices { $0.nodes[index].valueCount += 5 } })
    let last = graph { graph in
      let new = Node(id: 1_000, definition: graph.definitions[0].id)
      graph.edges.append(Edge(source: graph.nodes[0].id, target: new.id))
      graph.nodes.append(new)
      graph.nodes[1].state = .failed
      graph.nodes[1].failure = "it is broken"
    }
    try program.serve(last)
    let second = try #require(await tool.line { _ in true })
    #expect(second.contains(/^[0-9:]{8} \+1 node \(.*\), 1 failed: 17 live nodes, 4 ended, [0-9]+ edges$/), "\(second)")
    let after = try picture("live.dot")
    #expect(!before.contains("it is broken") && after.contains("it is broken") && after.contains("n1000 ["))
    tool.interrupt()
    let end = try #require(await tool.line { _ in true })
    #expect(end.contains(/^[0-9:]{8} Fake \(pid 511\) goes on: 2 pictures in [0-9.]+ s\.$/), "\(end)")
    #expect(await tool.status() == 0)
    #expect(try folder.names == ["live.dot", "sockets"])
  }

  @Test func figuresAreDrawnWhereTheyAreWanted() async throws {
    let program = try FakeProgram("Fake", pid: 512, in: folder.file("sockets"))
    defer { program.end() }
    let tool = try watch("-o live.mmd --counts")
    #expect(await tool.line { _ in true } != nil)
    try program.serve(
      graph {
        $0.process.pid = 512
        for index in $0.nodes.indices { $0.nodes[index].valueCount = 123_456 }
      })
    let second = try #require(await tool.line { _ in true })
    #expect(second.contains(/^[0-9:]{8} 17 live nodes, 3 ended, [0-9]+ edges$/), "\(second)")
    #expect(try picture("live.mmd").contains("123,456"))
  }

  @Test func aRunningProgramFromItsStartToItsEnd() async throws {
    let program = try await PlantedProgram(in: folder)
    let tool = try watch("-o live.svg")
    #expect(await tool.line { $0.contains("live.svg: ") } != nil)
    #expect(try picture("live.svg").contains("</svg>"))
    try program.grow()
    let line = try PlantedProgram.line(of: "growth")
    let growth = await tool.line { $0.contains(" +") && $0.contains("Faults.swift:\(line)") }
    #expect(growth != nil)
    #expect(try await program.end() == "ended by itself")
    let end = await tool.line { $0.contains("has ended") }
    #expect(end?.contains(" PlantedFaults (pid ") == true)
    #expect(await tool.status() == 0)
  }

  /// One line that is written again; what was said before it is gone.
  @Test func aTerminalHasOneLine() async throws {
    let program = try FakeProgram("Fake", pid: 513, in: folder.file("sockets"))
    let terminal = try PseudoTerminal(
      ["render", "--watch", "--every", "100ms", "-o", "live.dot"], columns: 40, lines: 10, in: folder.url)
    #expect(await terminal.shows("live.dot: 17 live nodes"))
    try program.serve(
      graph {
        $0.process.pid = 513
        $0.nodes.append(Node(id: 1_000, definition: $0.definitions[0].id))
      })
    #expect(await terminal.shows(" +1 node ("))
    // In the place of the one before.
    let now = TimeOfDay.words.prefix(1)
    #expect(await terminal.shows("\u{1B}[K\r\(now)"))
    // It is no longer than the terminal is wide.
    #expect(await terminal.shows("…\u{1B}[K"))
    program.end()
    #expect(await terminal.shows("has ended: 2 pictures"))
    #expect(await terminal.status() == 0)
  }

  @Test func aNodeStaysInItsDirection() throws {
    func picture(_ edges: [(UInt64, UInt64)]) throws -> GraphPicture {
      try GraphPicture(
        of: GraphSnapshot(
          process: .current, takenAt: 1,
          definitions: [Definition(id: 1, kind: "map", fileID: "A/A.swift", line: 1, function: "f()")],
          nodes: Set(edges.flatMap { [$0.0, $0.1] }).map { Node(id: $0, definition: 1) },
          edges: edges.map { Edge(source: $0.0, target: $0.1) }))
    }
    let options = DrawingOptions()
    let hub = try picture((2...12).map { (1, $0) })
    let (chain, short) = try (picture((1...11).map { ($0, $0 + 1) }), picture([(1, 2), (2, 3)]))
    #expect(hub.direction(for: options) == .right && chain.direction(for: options) == .down)
    var direction = PictureWatch.Steady(.fitting)
    #expect(direction.choose(for: hub, options) == .right)
    // Of about the same size, it stays.
    #expect(direction.choose(for: chain, options) == .right)
    #expect(direction.choose(for: short, options) == .down)
    #expect(direction.choose(for: hub, options) == .right)
    var fixed = PictureWatch.Steady(.right)
    #expect(fixed.choose(for: chain, options) == .right)
  }

  @Test func whatChangedIsSaidInWords() {
    let before = GraphStructure(graph(), showsEnded: false)
    func changes(_ change: (inout GraphSnapshot) -> Void) -> String? {
      GraphStructure(graph(change), showsEnded: false).changes(since: before)
    }
    #expect(changes { _ in } == nil)
    #expect(changes { $0.nodes.reverse() } == nil)
    #expect(changes { $0.edges[0].count = 7 } == nil)
    #expect(changes { $0.edges.removeFirst() } == "−1 edge")
    #expect(changes { $0.nodes[0].name = "\u{1B}[2Jnew" }?.contains("1 changed") == true)
    let many = changes { graph in
      graph.definitions = graph.definitions.map { definition in
        var definition = definition
        definition.kind = "\u{1B}kind"
        return definition
      }
      for id in UInt64(2_000)..<2_005 {
        graph.nodes.append(Node(id: id, definition: graph.definitions[Int(id) % graph.definitions.count].id))
      }
    }
    #expect(many?.contains("+5 nodes (") == true && many?.contains(", …)") == true && many?.contains("\u{1B}") == false)
    // What has ended is not drawn any more.
    #expect(
      changes { graph in
        let index = graph.nodes.firstIndex { $0.state == .live && $0.findings.isEmpty } ?? 0
        graph.nodes[index].state = .finished
      }?.hasPrefix("−1 node (") == true)
  }

  @Test(arguments: [
    ("-o -", 64, "--watch replaces a file"), ("-o graph.json", 64, "--watch draws a picture"),
    ("-o live.svg --format json", 64, "--watch draws a picture"), ("-o live.svg --for 2s", 64, "one running program"),
    ("-o live.svg graph.json", 64, "one running program"), ("-o live.svg --every-program", 64, "one running program"),
    ("-o graph.txt", 64, "has the extension"),
    ("-o live.svg --every 50ms", 64, "100ms or more"), ("-o live.svg --depth 2", 64, "--depth needs --focus"),
    ("-o live.svg --pid 999999", 1, "No inspectable program"), ("-o missing/live.svg", 1, "does not exist"),
  ])
  func whatIsWrongIsSaid(arguments: String, status: Int32, words: String) async throws {
    // `watch` is the earlier name.
    let result = try await Tool.run(["watch"] + arguments.split(separator: " ").map(String.init), in: folder.url)
    #expect(result.status == status && result.errors.contains(words), "\(result)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: ["--every 200ms", "--counts"]) func optionsOfWatchingNeedWatch(option: String) async throws {
    let result = try await Tool.run(
      ["render", "graph.json", "-o", "live.svg"] + option.split(separator: " ").map(String.init), in: folder.url)
    #expect(result.status == 64 && result.errors.contains("need --watch"), "\(result)")
  }
}
