import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

@testable import signal_viz

/// `signal-viz list` on processes of their own.
@Suite(.serialized) struct ListCommandTests {
  private struct List: Decodable {
    struct Entry: Decodable {
      var name: String
      var pid: Int32
      var startedAt: Double
      var socket: String
      var nodes: Int?
      var liveNodes: Int?
      var subscriptions: Int?
      var valuesPerSecond: Double?
    }

    var version: Int
    var programs: [Entry]
    var problems: [String]
  }

  private func list(_ text: String) throws -> List { try JSONDecoder().decode(List.self, from: Data(text.utf8)) }

  @Test func aRunningProgramTellsItsNumbers() async throws {
    let folder = try TemporaryFolder()
    let program = try await PlantedProgram(in: folder)
    let result = try await Tool.run(["list", "--json"], in: folder.url)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let list = try list(result.output)
    #expect(list.version == 1 && list.problems.isEmpty)
    let entry = try #require(list.programs.first)
    #expect(list.programs.count == 1 && entry.name == "PlantedFaults" && entry.socket == program.socketPath)
    #expect(
      entry.liveNodes ?? 0 > 1 && entry.nodes ?? 0 > 5 && entry.nodes ?? 0 >= entry.liveNodes ?? 0
        && entry.subscriptions ?? 0 > 1, "\(result.output)")
    #expect(entry.valuesPerSecond != nil)
    let table = try await Tool.run(["list", "--for", "0"], in: folder.url)
    let lines = table.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      lines.count == 2 && lines[0] == ["NAME", "PID", "NODES", "ENDED", "SUBSCRIPTIONS", "VALUES/S", "SINCE", "SOCKET"])
    #expect(lines.last?[1] == "\(entry.pid)" && lines.last?[5] == "-" && lines.last?.last == program.socketPath)
    #expect(try await program.end() != "")
  }

  @Test func aDirectoryThatCannotBeReadFails() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    for arguments in [["list"], ["list", "--json"], ["list", "--dead"], ["list", "--dead", "--json"]] {
      let result = try await Tool.run(arguments, in: folder.url)
      #expect(result.status == 1 && (result.output + result.errors).contains("755"), "\(result)")
    }
  }

  @Test func impossibleNumbersOfAProgramAreListed() throws {
    var summary = GraphSummary(of: SampleGraphs.searchBox)
    (summary.nodeCount, summary.liveNodeCount, summary.rate) = (.min, 1, 1e307)
    let program = Program(identity: summary.process, socketPath: "/s")
    let listed = ListedPrograms(programs: [ListedPrograms.Entry(program, summary)], problems: [])
    let row = try #require(listed.text.split(separator: "\n").last).split(separator: " ")
    #expect(row.prefix(4).map(String.init) == ["SearchBox", "4242", "1", "0"])
    let read = try list(String(decoding: listed.json(), as: UTF8.self))
    #expect(read.programs.first?.valuesPerSecond == 1e307)
  }

  @Test func noProgramIsNoMistake() async throws {
    let folder = try TemporaryFolder()
    let result = try await Tool.run(["list", "--json"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try list(result.output).programs.isEmpty)
    let wrong = try await Tool.run(["list", "--for", "11s"], in: folder.url)
    #expect(wrong.status == 64 && wrong.errors.contains("at most 10s"))
  }

  /// Five programs that are stopped are waited for together: each alone is waited for three seconds.
  @Test func programsThatDoNotAnswerAreWaitedForTogether() async throws {
    let folder = try TemporaryFolder()
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let mute = try (1...5).map { pid in
      try LocalSocket.serving(
        SocketFile(
          directory: sockets.path, process: ProcessIdentity(name: "Mute", pid: Int32(pid), startedAt: 1_700_000_000)))
    }
    let program = try FakeProgram("Awake", pid: 77, in: sockets)
    // A busy machine may need longer by itself, so there are several attempts.
    var isFast = false
    for _ in 1...10 where !isFast {
      let start = ContinuousClock.now
      let result = try await Tool.run(["list", "--json", "--for", "0"], in: folder.url)
      // One after the other would take 15 seconds.
      isFast = ContinuousClock.now - start < .seconds(12)
      let list = try list(result.output)
      #expect(list.programs.map(\.name) == ["Awake"] && list.problems.count == 5)
      #expect(list.programs.first?.subscriptions == 3 && list.programs.first?.nodes == 20)
    }
    #expect(isFast)
    for socket in mute { socket.close() }
    program.end()
  }

  /// Whatever listens at a socket of the folder is asked who it is, and may send without an end.
  @Test func greetingWithoutAnEndIsRefused() async throws {
    let folder = try TemporaryFolder()
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let endless = try FakeProgram("Endless", pid: 78, in: sockets, greetingBytes: 1 << 20)
    let program = try FakeProgram("Awake", pid: 77, in: sockets, greetingBytes: 1 << 10)
    let result = try await Tool.run(["list", "--json", "--for", "0"], in: folder.url)
    let list = try list(result.output)
    #expect(list.programs.map(\.name) == ["Awake"])
    #expect(list.problems.count == 1 && list.problems[0].contains("has no end"), "\(list.problems)")
    endless.end()
    program.end()
  }
}
