import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

/// The tool and programs that are stopped, busy, slow, or not there.
@Suite("Stopped and busy programs", .serialized, .timeLimit(.minutes(20))) struct StoppedProgramsTests {
  private let folder: TemporaryFolder
  private var sockets: URL { folder.file("sockets") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func tool(_ arguments: String) async throws -> Tool.Result {
    try await Tool.run(arguments.split(separator: " ").map(String.init), in: folder.url, times: 1)
  }

  /// Runs it until it names a program that responds: on a busy machine that may be late too.
  private func tool(_ arguments: String, untilItNames words: String) async throws -> Tool.Result {
    var result = try await tool(arguments)
    for _ in 1..<20 where !(result.output + result.errors).contains(words) { result = try await tool(arguments) }
    return result
  }

  private func pid(of program: PlantedProgram) throws -> pid_t {
    let name = try #require(program.socketPath.split(separator: "/").last)
    return try #require(SocketFile(directory: "/", fileName: String(name))).pid
  }

  private func mute(_ pid: Int32) throws -> LocalSocket {
    let identity = ProcessIdentity(name: "Mute", pid: pid, startedAt: 1_700_000_000)
    return try LocalSocket.serving(SocketFile(directory: sockets.path, process: identity))
  }

  @Test func oneThatIsStoppedIsNamedAndTheOthersAreListed() async throws {
    let (awake, stopped) = (try await PlantedProgram(in: folder), try await PlantedProgram(in: folder))
    let (first, second) = (try pid(of: awake), try pid(of: stopped))
    kill(second, SIGSTOP)
    defer { kill(second, SIGCONT) }
    let list = try await tool("list --for 0", untilItNames: " \(first) ")
    #expect(list.status == 0 && list.output.contains(" \(first) ") && !list.output.contains(" \(second) "), "\(list)")
    #expect(list.errors.contains(stopped.socketPath) && list.errors.contains("it may be stopped or hung."))
    let asked = try await tool("render --pid \(second) -o out.svg")
    #expect(asked.status == 1, "\(asked)")
    #expect(
      asked.errors.hasPrefix(
        "Error: The program with pid \(second) does not respond.\nPlantedFaults (pid \(second)) at `\(stopped.socketPath)`"
      ))
    // By a name, it may be the one that is meant.
    let named = try await tool("check --name Other", untilItNames: "\nThese respond:\n")
    #expect(named.status == 2, "\(named)")
    #expect(
      named.errors.hasPrefix("Error: No program named `Other` responds.\nPlantedFaults (pid \(second)) at "),
      "\(named)")
    #expect(named.errors.contains("\nThese respond:\n") && named.errors.contains(" \(first) "), "\(named)")
    kill(second, SIGCONT)
    #expect(try await tool("list --for 0", untilItNames: " \(second) ").output.contains(" \(second) "))
  }

  /// Who names one program does not wait for others: of five that are stopped none is asked.
  @Test func whoNamesAProgramWaitsForNoOther() async throws {
    let stopped = try (1...5).map(mute)
    let program = try FakeProgram("Awake", pid: 77, in: sockets)
    defer { program.end() }
    let result = try await Tool.run(["render", "--pid", "77", "-o", "out.json"], in: folder.url)
    #expect(result.status == 0, "\(result)")
    for socket in stopped {
      while let client = try socket.nextClient() {
        // Somebody looked whether anybody listens, and left without a word.
        #expect(try client.read(atMost: 100) == [])
        client.close()
      }
      socket.close()
    }
  }

  @Test func oneThatIsLookedAtByAsManyAsItAnswersIsListedAllTheSame() async throws {
    let program = try await PlantedProgram(in: folder)
    let json = try await Tool.run(["render", "-o", "-", "--format", "json"], in: folder.url).output
    let node = try #require(try GraphSnapshot(json: Data(json.utf8)).nodes.first { $0.state == .live })
    func listBesideClients() async throws -> Tool.Result {
      let clients = try (0..<4).map { _ in
        let client = try LocalSocket.connected(to: program.socketPath)
        let request = Array("GET /watch?node=\(node.id)&seconds=60&lines=1000 HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        let sent = try request.withUnsafeBytes { try client.write($0) }
        #expect(sent == request.count)
        #expect(client.wait(for: .readable, until: .now + .seconds(300)) == .ready)
        return client
      }
      defer { for client in clients { client.close() } }
      return try await tool("list")
    }
    var list = try await listBesideClients()
    // They watch for a minute at most, which on a busy machine may be over before the command asks.
    let refusal = "4 clients are connected"
    for _ in 1..<20 where !list.errors.contains(refusal) { list = try await listBesideClients() }
    #expect(list.status == 0 && list.output.contains(program.socketPath), "\(list)")
    #expect(!list.errors.contains("No inspectable program") && list.errors.contains(refusal), "\(list)")
  }

  /// Answers every question with as many pieces as are wanted, each somewhat after the one before.
  private func drip(
    _ pieces: Int, of count: Int, while body: (_ socket: String) async throws -> Void
  ) async throws {
    let identity = ProcessIdentity(name: "Slow", pid: 901, startedAt: 1_700_000_000)
    let file = SocketFile(directory: sockets.path, process: identity)
    let socket = try LocalSocket.serving(file)
    let json = Array(try SampleGraphs.searchBox.json())
    let stop = Pipe()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      let stopped = stop.fileHandleForReading.fileDescriptor
      while socket.wait(for: .readable, until: nil, interruptedBy: stopped) == .ready {
        guard let client = try? socket.nextClient() else { continue }
        _ = client.wait(for: .readable, until: .now + .seconds(300), interruptedBy: stopped)
        _ = try? client.read(atMost: 4_096)
        var head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
        for piece in 0..<pieces {
          let bytes = head + json[(json.count * piece / count)..<(json.count * (piece + 1) / count)]
          head = []
          _ = bytes.withUnsafeBytes { try? client.write($0) }
          // A moment without a byte.
          if piece < count - 1 { _ = client.wait(for: .hangUp, until: .now + .milliseconds(700)) }
        }
        if pieces < count { _ = client.wait(for: .hangUp, until: .now + .seconds(300), interruptedBy: stopped) }
        client.close()
      }
      socket.close()
      end.finish()
    }
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(file.path))
    } catch {
      result = .failure(error)
    }
    try stop.fileHandleForWriting.close()
    for await _ in ends {}
    try result.get()
  }

  /// All of it takes longer than the limit, no byte does.
  @Test func anAnswerMayTakeLongWhileBytesCome() async throws {
    try await drip(8, of: 8) { socket in
      let result = try await tool("render --socket \(socket) --timeout 4 -o out.json")
      #expect(result.status == 0, "\(result)")
      #expect(try GraphSnapshot(json: Data(contentsOf: folder.file("out.json"))) == SampleGraphs.searchBox)
    }
  }

  @Test func whoFallsSilentInTheMiddleIsToldWithHowMuchCame() async throws {
    try await drip(1, of: 2) { socket in
      // On a busy machine its thread may begin to answer too late.
      var result = try await tool("render --socket \(socket) --timeout 1 -o out.json")
      for _ in 1...20 where result.errors.contains("did not respond within") {
        result = try await tool("render --socket \(socket) --timeout 1 -o out.json")
      }
      #expect(result.status == 1, "\(result)")
      #expect(
        result.errors.contains(
          /sent [0-9]+ (bytes|kB), and then nothing within 1.0 seconds; it may be stopped or hung\./), "\(result)")
    }
  }

  /// Neither the variable nor the line does anything alone.
  @Test(arguments: ["list", "render -o out.svg", "check", "top"])
  func whereNoProgramRunsBothThatAreNeededAreSaid(command: String) async throws {
    let result = try await tool(command)
    for line in [
      "import SignalInspector", "try await SignalInspector.startIfRequested()", "SIGNALS_INSPECT=1 swift run",
    ] { #expect(result.errors.contains(line), "\(result)") }
    // What is to be pasted is what the documentation has, which is compiled.
    let article = try String(
      contentsOf: PlantedProgram.package.appendingPathComponent(
        "Sources/SignalInspector/SignalInspector.docc/SignalInspector.md"), encoding: .utf8)
    #expect(article.contains("import SignalInspector\n\ntry await SignalInspector.startIfRequested()\n"))
  }
}
