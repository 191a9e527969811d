import BuiltPrograms
import Foundation
import SampleGraphs
import SignalGraph
import Testing

/// `signal-viz top` on a process of its own.
@Suite(.serialized) struct TopCommandTests {
  private struct Look: Decodable {
    struct Row: Decodable {
      var kind: String
      var place: String
      var nodes: Int
      var count: UInt64
      var rate: Double?
      var handler: Double?
    }

    var version: Int
    var seconds: Double
    var subscriptions: Int
    var rows: [Row]
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func look(_ line: String) throws -> Look { try JSONDecoder().decode(Look.self, from: Data(line.utf8)) }

  @Test func aLookIsALineOfJSONUntilCtrlC() async throws {
    let program = try await PlantedProgram(in: folder)
    let tool = try RunningTool(["top", "--json", "--every", "100ms", "--limit", "3"], in: folder.url)
    for _ in 1...2 {
      let look = try look(#require(await tool.line { _ in true }))
      #expect(look.version == 1 && look.seconds > 0 && look.subscriptions > 0)
      #expect(look.rows.count == 3 && look.rows.allSatisfy { $0.rate != nil })
      let rates = look.rows.compactMap(\.rate)
      #expect(rates == rates.sorted(by: >))
    }
    tool.interrupt()
    #expect(await tool.status() == 0)
    #expect(try await program.end() != "")
  }

  @Test func itEndsWithTheProgram() async throws {
    let program = try await PlantedProgram(in: folder)
    let tool = try RunningTool(["top", "--every", "100ms"], in: folder.url)
    let heading = await tool.line { $0.hasPrefix("PlantedFaults (pid ") }
    #expect(heading?.contains("subscription") == true)
    let columns = await tool.line { $0.hasPrefix("VALUES/S*") }
    #expect(columns != nil)
    #expect(try await program.end() != "")
    #expect(await tool.status() == 0)
  }

  @Test func itEndsWhenItsTimeIsOver() async throws {
    let program = try await PlantedProgram(in: folder)
    let result = try await Tool.run(["top", "--every", "100ms", "--for", "100ms", "--sort", "handler"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("HANDLER*") && !result.output.contains("\u{1B}"))
    #expect(try await program.end() != "")
  }

  /// A library that neither measures handlers nor sums up.
  @Test func anOlderProgramTellsWhatItCan() async throws {
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let program = try FakeProgram("Old", pid: 531, in: sockets, knowing: ["/hello", "/snapshot"])
    defer { program.end() }
    let once = try await Tool.run(["top", "--every", "100ms", "--for", "100ms"], in: folder.url)
    #expect(once.status == 0 && once.output.hasPrefix("Old (pid 531)  17 live nodes, 3 ended  "), "\(once)")
    #expect(
      once.errors == "Old (pid 531) uses an older version of the library, without handler times. "
        + "The rest is shown.\n")
    let quiet = try await Tool.run(["top", "--every", "100ms", "--for", "100ms", "--no-handlers"], in: folder.url)
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet)")

    let tool = try RunningTool(["top", "--json", "--every", "100ms"], in: folder.url)
    let first = try look(#require(await tool.line { _ in true }))
    #expect(first.rows.allSatisfy { $0.handler == nil })
    var graph = SampleGraphs.searchBox
    graph.process = ProcessIdentity(name: "Old", pid: 531, startedAt: 1_700_000_000)
    graph.takenAt += 2
    for index in graph.nodes.indices where graph.nodes[index].state == .live { graph.nodes[index].valueCount += 20 }
    try program.serve(graph)
    let line = await tool.line { (try? look($0).rows.contains { $0.rate == 10 }) == true }
    #expect(line != nil)
    tool.interrupt()
    #expect(await tool.status() == 0)

    let list = try await Tool.run(["list", "--json", "--for", "100ms"], in: folder.url)
    #expect(list.status == 0 && list.errors.isEmpty && list.output.contains(#""nodes" : 20"#), "\(list)")
  }

  @Test(arguments: [
    (["--every", "50ms"], 64, "100ms or more"), (["--for", "0"], 64, "100ms or more"),
    (["--limit", "0"], 64, "--limit 0"),
    (["--sort", "name"], 64, "'waiting' or 'handler'"),
    (["--no-handlers", "--sort", "handler"], 64, "--no-handlers"),
    (["--pid", "1"], 2, "No inspectable program"),
  ])
  func whatIsWrongIsSaid(arguments: [String], status: Int32, words: String) async throws {
    let result = try await Tool.run(["top"] + arguments, in: folder.url)
    #expect(result.status == status && result.output.isEmpty)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  /// In a terminal: the screen is drawn anew where its size changes, keys sort, and what was there before comes back.
  @Test func aTerminalIsAScreen() async throws {
    let program = try await PlantedProgram(in: folder)
    let terminal = try PseudoTerminal(["top", "--every", "1h"], columns: 100, lines: 12, in: folder.url)
    // No look comes meanwhile, so what is drawn anew is drawn for a key or a size.
    #expect(await terminal.shows("\u{1B}[?1049h"))
    #expect(await terminal.shows("\u{1B}[7mVALUES/S*  VALUES  WAITING  HANDLER  NODES  WHAT"))
    #expect(await terminal.shows("q quit"))
    terminal.type("c")
    #expect(await terminal.shows("\u{1B}[7mVALUES/S  VALUES*"))
    terminal.resize(columns: 34, lines: 6)
    #expect(await terminal.shows("\u{1B}[7mVALUES/S  VALUES*  WHAT"))
    terminal.type("n")
    terminal.type("q")
    #expect(await terminal.status() == 0)
    #expect(await terminal.shows("\u{1B}[?25h\u{1B}[?1049l"))
    #expect(try await program.end() != "")
  }
}
