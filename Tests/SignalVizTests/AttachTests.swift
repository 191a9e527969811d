import FlyingFox
import FlyingSocks
import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

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
    _ name: String, pid: Int32, snapshot: HTTPResponse? = nil, while body: (_ socket: String) async throws -> Void
  ) async throws {
    let identity = ProcessIdentity(name: name, pid: pid, startedAt: 1_700_000_000)
    let socket = SocketFile(directory: folder.file("sockets").path, process: identity)
    let server = HTTPServer(address: sockaddr_un.unix(path: socket.path))
    let hello = try JSONEncoder().encode(Hello(process: identity))
    var graph = SampleGraphs.searchBox
    graph.process = identity
    let answer = try snapshot ?? HTTPResponse(statusCode: .ok, body: graph.json())
    await server.appendRoute("GET /hello") { _ in HTTPResponse(statusCode: .ok, body: hello) }
    await server.appendRoute("GET /snapshot") { _ in answer }
    let run = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 20)
    do {
      try await body(socket.path)
    } catch {
      run.cancel()
      throw error
    }
    run.cancel()
    _ = await run.result
  }

  private func tool(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.run(arguments, in: folder.url)
  }

  @Test func programsAreListedAndDrawn() async throws {
    try await serving("First", pid: 101) { socket in
      let list = try await tool("list")
      #expect(list.status == 0, "\(list.errors)")
      #expect(list.output.contains("NAME   PID  STARTED"), "\(list.errors)")
      #expect(list.output.contains("First  101  2023-11-14T22:13:20Z  \(socket)"))
      for choice in [["--pid", "101"], ["--name", "First"], ["--socket", socket], []] {
        let result = try await Tool.run(["render"] + choice + ["-o", "live.json"], in: folder.url)
        #expect(result.status == 0, "\(result.errors)")
        let graph = try GraphSnapshot(json: Data(contentsOf: folder.file("live.json")))
        #expect(graph.process.name == "First" && graph.nodes == SampleGraphs.searchBox.nodes)
        try FileManager.default.removeItem(at: folder.file("live.json"))
      }
    }
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
    let refusal = HTTPResponse(statusCode: .serviceUnavailable, body: Data("four clients already".utf8))
    try await serving("Busy", pid: 301, snapshot: refusal) { socket in
      let result = try await tool("render", "--pid", "301", "-o", "out.svg")
      #expect(result.status == 1 && result.errors.contains("503") && result.errors.contains("four clients already"))
      #expect(result.errors.contains(socket))
    }
    let nonsense = HTTPResponse(statusCode: .ok, body: Data("{\"version\": 7}".utf8))
    try await serving("Newer", pid: 302, snapshot: nonsense) { _ in
      let result = try await tool("render", "--pid", "302", "-o", "out.svg")
      #expect(result.status == 1 && result.errors.contains("version 7") && result.errors.contains("up to 1"))
    }
    #expect(try folder.names == ["sockets"])
  }

  @Test func aProgramThatDoesNotAnswerIsReportedInTime() async throws {
    let identity = ProcessIdentity(name: "Mute", pid: 401, startedAt: 1_700_000_000)
    let file = SocketFile(directory: folder.file("sockets").path, process: identity)
    let socket = try Socket(domain: AF_UNIX, type: .stream)
    try socket.bind(to: sockaddr_un.unix(path: file.path))
    try socket.listen()
    let list = try await tool("list")
    #expect(list.errors.contains("did not answer within") && list.errors.contains(file.path))
    try socket.close()
    // Now the socket is dead: nobody listens, and it is cleared away.
    let after = try await tool("list")
    #expect(after.status == 0 && after.errors.contains("No program"))
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
