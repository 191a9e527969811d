import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import signal_viz

/// What is left of a process that was killed or has trapped.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DeadProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct List: Decodable {
    struct Entry: Decodable {
      var name: String?
      var pid: Int32
      var lastSeenAt: Double?
      var nodes: Int?
      var file: String
    }

    var programs: [Entry]
    var problems: [String]
  }

  private func run(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.run(arguments, in: folder.url)
  }

  private func dead() async throws -> [List.Entry] {
    let result = try await run("list", "--dead", "--json")
    #expect(result.status == 0, "\(result)")
    return try JSONDecoder().decode(List.self, from: Data(result.output.utf8)).programs
  }

  /// Waits until a copy has what the program does.
  private func copyHasGrown(_ path: String) throws -> GraphSnapshot {
    let end = ContinuousClock.now + .seconds(300)
    var graph = try GraphSnapshot(json: Data(contentsOf: URL(fileURLWithPath: path)))
    let first = graph.takenAt
    // It is whole whenever it is read.
    while ContinuousClock.now < end, graph.nodes.count < 20 || graph.takenAt == first {
      graph = try GraphSnapshot(json: Data(contentsOf: URL(fileURLWithPath: path)))
      sched_yield()
    }
    #expect(graph.nodes.count >= 20)
    return graph
  }

  enum End: CaseIterable { case killed, terminated, trapped }

  @Test(arguments: End.allCases) func itsGraphCanBeLookedAt(end: End) async throws {
    let program = try await PlantedProgram(in: folder, environment: ["SIGNALS_KEEP_GRAPH": "1"])
    try program.grow()
    let path = KeptGraphFile(of: try socket(of: program)).path
    let last = try copyHasGrown(path)
    // As long as it lives it is not among the dead.
    #expect(try await dead().isEmpty)
    switch end {
    case .killed: kill(program.pid, SIGKILL)
    case .terminated: kill(program.pid, SIGTERM)
    case .trapped: try program.trap()
    }
    await program.hasEnded()
    let left = try await dead()
    let entry = try #require(left.first)
    #expect(left.count == 1 && entry.name == "PlantedFaults" && entry.pid == program.pid && entry.file == path)
    #expect(entry.lastSeenAt ?? 0 >= last.takenAt && entry.nodes ?? 0 >= 20)
    let table = try await run("list", "--dead").output.split(separator: "\n")
    #expect(table.first?.hasPrefix("NAME ") == true && table.last?.contains(path) == true)
    // The same commands as for any snapshot.
    let check = try await run("check", path, "--only", "leak")
    #expect(check.status == 1 && check.output.contains("(leak)"), "\(check)")
    #expect(try await run("render", path, "-o", "last.svg").status == 0)
    let why = try await run("why", "ticks", path)
    #expect(why.status == 0, "\(why)")
    // The socket is litter, and removed; the copy stays.
    #expect(try await run("list").output.isEmpty)
    #expect(try await dead().count == 1)
  }

  @Test func anOrdinaryEndLeavesNothing() async throws {
    let program = try await PlantedProgram(in: folder, environment: ["SIGNALS_KEEP_GRAPH": "1"])
    let path = KeptGraphFile(of: try socket(of: program)).path
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try await program.end() != "")
    await program.hasEnded()
    #expect(!FileManager.default.fileExists(atPath: path))
    let list = try await run("list", "--dead")
    #expect(list.status == 0 && list.output.isEmpty && list.errors.contains("SIGNALS_KEEP_GRAPH=1"), "\(list)")
  }

  @Test func aPathOfItsOwnHasTheLastMoment() async throws {
    let path = folder.file("kept.json").path
    let program = try await PlantedProgram(in: folder, environment: ["SIGNALS_KEEP_GRAPH": path])
    try program.grow()
    let before = try copyHasGrown(path)
    #expect(try await program.end() != "")
    await program.hasEnded()
    let last = try GraphSnapshot(json: Data(contentsOf: folder.file("kept.json")))
    #expect(last.takenAt >= before.takenAt)
    let status = try FileManager.default.attributesOfItem(atPath: path)
    #expect((status[.posixPermissions] as? Int) == 0o600)
    #expect(try folder.names == ["kept.json", "sockets"])
  }

  /// A copy that is torn, as after the machine has lost its power, is told as such.
  @Test func aTornCopyIsTold() async throws {
    let program = try await PlantedProgram(in: folder, environment: ["SIGNALS_KEEP_GRAPH": "1"])
    let path = KeptGraphFile(of: try socket(of: program)).path
    kill(program.pid, SIGKILL)
    await program.hasEnded()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    let list = try await run("list", "--dead")
    #expect(list.output.contains("-") && list.errors.contains("\(path): "), "\(list)")
    let render = try await run("render", path, "-o", "last.svg")
    #expect(render.status != 0 && render.errors.contains("stops in the middle"), "\(render)")
  }

  private func socket(of program: PlantedProgram) throws -> SocketFile {
    let url = URL(fileURLWithPath: program.socketPath)
    return try #require(
      SocketFile(directory: url.deletingLastPathComponent().path, fileName: url.lastPathComponent))
  }
}
