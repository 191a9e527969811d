import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

@testable import SignalInspector

/// The tool against programs that answer, answer wrongly, or do not answer.
@Suite struct AttachTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Serves one program's graph while the body runs.
  private func serving(
    _ name: String, pid: Int32, answer: (status: String, body: String)? = nil,
    while body: (_ socket: String) async throws -> Void
  ) async throws {
    let program = try FakeProgram(name, pid: pid, in: folder.file("sockets"), answer: answer)
    defer { program.end() }
    try await body(program.socketPath)
  }

  private func tool(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.run(arguments, in: folder.url)
  }

  @Test(arguments: [["--socket"], ["--every-program"]]) func renderForEnablesCauseTracking(choice: [String])
    async throws
  {
    let program = try FakeProgram("Traced", pid: 171, in: folder.file("sockets"))
    defer { program.end() }
    let choice = choice == ["--socket"] ? choice + [program.socketPath] : choice
    let result = try await Tool.run(["render"] + choice + ["--for", "100ms", "-o", "live.svg"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    let paths = program.requestedPaths.filter { $0 != "/hello" }
    #expect(paths.first == "/trace" && paths.contains("/snapshot"), "\(paths)")
  }

  @Test func programsAreListedAndDrawn() async throws {
    try await serving("First", pid: 101) { socket in
      let list = try await tool("list")
      #expect(list.status == 0, "\(list.errors)")
      // It counts what it takes from snapshots, as it does with programs of an older library. They are the same each time.
      #expect(
        list.output == """
          NAME   PID  NODES  ENDED  SUBSCRIPTIONS  VALUES/S  SINCE                 SOCKET
          First  101     17      3              3         -  2023-11-14T22:13:20Z  \(socket)

          """)
      for choice in [["--pid", "101"], ["--name", "First"], ["--socket", socket], []] {
        let result = try await Tool.run(["render"] + choice + ["-o", "live.json"], in: folder.url)
        #expect(result.status == 0, "\(result.errors)")
        let graph = try GraphSnapshot(json: Data(contentsOf: folder.file("live.json")))
        #expect(graph.process.name == "First" && graph.nodes == SampleGraphs.searchBox.nodes)
        try FileManager.default.removeItem(at: folder.file("live.json"))
      }
    }
  }

  /// A program answers a few clients at a time; the others ask again.
  @Test func whoComesWhileTooManyAskIsServedLater() async throws {
    let program = try FakeProgram("Busy", pid: 151, in: folder.file("sockets"), refusing: 4)
    defer { program.end() }
    var result = try await tool("render", "--pid", "151", "-o", "busy.json")
    // On a busy machine it may retry too seldom in its time. It is refused more often than this runs it.
    for _ in 1...2 where result.errors.contains("too many clients") {
      result = try await tool("render", "--pid", "151", "-o", "busy.json")
    }
    #expect(result.status == 0, "\(result.errors)")
    #expect(try GraphSnapshot(json: Data(contentsOf: folder.file("busy.json"))).process.name == "Busy")
  }

  @Test func ofSeveralProgramsOneIsChosen() async throws {
    try await serving("Twin", pid: 201) { _ in
      try await serving("Twin", pid: 202) { _ in
        let both = try await tool("render", "--name", "Twin", "-o", "out.svg")
        #expect(both.status == 1)
        for words in ["2 programs named `Twin`", "--pid", "201", "202"] { #expect(both.errors.contains(words)) }
        let nobody = try await tool("render", "--pid", "203", "-o", "out.svg")
        #expect(
          nobody.status == 1 && nobody.errors.contains("No program with pid 203") && nobody.errors.contains("202"))
        let one = try await tool("render", "--pid", "202", "-o", "out.svg")
        #expect(one.status == 0, "\(one.errors)")
      }
    }
  }

  @Test func aWrongAnswerIsSaid() async throws {
    try await serving("Busy", pid: 301, answer: ("503 Service Unavailable", "four clients\n\u{1B}already")) { socket in
      let result = try await tool("render", "--pid", "301", "-o", "out.svg")
      #expect(result.status == 1 && result.errors.contains("503") && result.errors.contains("four clients already"))
      #expect(result.errors.contains(socket))
    }
    try await serving("Newer", pid: 302, answer: ("200 OK", "{\"version\": 7}")) { _ in
      let result = try await tool("render", "--pid", "302", "-o", "out.svg")
      #expect(result.status == 1 && result.errors.contains("version 7") && result.errors.contains("up to 1"))
    }
    #expect(try folder.names == ["sockets"])
  }

  @Test func aProgramThatDoesNotAnswerIsReportedInTime() async throws {
    let identity = ProcessIdentity(name: "Mute", pid: 401, startedAt: 1_700_000_000)
    let file = SocketFile(directory: folder.file("sockets").path, process: identity)
    let socket = try LocalSocket.serving(file)
    let list = try await Tool.run(["list"], in: folder.url, times: 1)
    #expect(list.errors.contains("did not respond within") && list.errors.contains(file.path))
    #expect(!list.errors.contains("No inspectable program"))
    let check = try await Tool.run(["check"], in: folder.url, times: 1)
    #expect(check.status == 2 && check.errors.contains("No program responds.\n"), "\(check)")
    #expect(check.errors.contains("pid 401") && check.errors.contains("` did not respond within"))
    #expect(!check.errors.contains("No inspectable program"))
    socket.close()
    // Now the socket is dead: nobody listens, and it is cleared away.
    let after = try await tool("list")
    #expect(after.status == 0 && after.errors.contains("No inspectable program"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// What the tool asks of a program is what it makes of a file: the same part of the graph, or the same refusal.
  @Test(arguments: [
    ["--focus", "status line"], ["--focus", "combineLatest", "--depth", "1"], ["--focus", "fromTask", "--depth", "0"],
    ["--focus", "Results.swift", "--focus", "#1", "--depth", "0"], ["--focus", "Results.swift:30"], [],
  ])
  func aProgramAndAFileGiveTheSamePart(_ focus: [String]) async throws {
    try await withInspector { socket in
      try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
      let live = try await Tool.run(["render", "--socket", socket, "-o", "live.json"] + focus, in: folder.url)
      let filed = try await Tool.run(["render", "graph.json", "-o", "filed.json"] + focus, in: folder.url)
      #expect(live.status == 0 && filed.status == 0, "\(live.errors)\(filed.errors)")
      let part = try GraphSnapshot(json: Data(contentsOf: folder.file("live.json")))
      #expect(try part == GraphSnapshot(json: Data(contentsOf: folder.file("filed.json"))))
      #expect((part.nodes.count < SampleGraphs.searchBox.nodes.count) == !focus.isEmpty)
    }
  }

  @Test func aProgramAndAFileRefuseAFocusInTheSameWords() async throws {
    try await withInspector { socket in
      try SampleGraphs.searchBox.json().write(to: folder.file("graph.json"))
      for source in [["--socket", socket], ["graph.json"]] {
        let result = try await Tool.run(
          ["render", "--focus", "map", "--focus", "nobody", "-o", "out.svg"] + source, in: folder.url)
        #expect(result.status == 1)
        #expect(
          result.errors.contains("No node has the id, name, kind or place `nobody`. The graph has, for example: "))
        #expect(result.errors.contains("`combineLatest`"))
      }
      #expect(try folder.names == ["graph.json", "sockets"])
    }
  }

  /// Serves the sample graph by the inspector itself.
  private func withInspector(_ body: (_ socket: String) async throws -> Void) async throws {
    let graph = GraphProvider(snapshot: { SampleGraphs.searchBox }, observe: { _ in nil })
    let inspector = try SignalInspector.start(
      in: SocketDirectory(path: folder.file("sockets").path), serving: graph, limits: InspectorLimits())
    do {
      try await body(inspector.socketPath)
    } catch {
      await inspector.stop()
      throw error
    }
    await inspector.stop()
  }
}
