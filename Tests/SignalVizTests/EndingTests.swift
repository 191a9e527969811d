import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

/// What is left when the tool is ended in the middle, and what is said when its layout is.
@Suite("Ending in the middle", .serialized, .timeLimit(.minutes(20))) struct EndingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Its layout takes longer than any of these tests.
    try SampleGraphs.large(.one, count: 10_000).json().write(to: folder.file("large.json"))
  }

  private func render(_ environment: [String: String] = [:]) throws -> AttackedTool {
    try AttackedTool(["render", "large.json", "--all", "-o", "out.svg"], in: folder.url, environment: environment)
  }

  /// Waits until a half-written picture is there.
  private func waitForFile() throws {
    _ = try ProcessTable.eventually("the picture is begun") { try folder.names.count > 1 ? true : nil }
  }

  private func waitForTheEnd(of pid: pid_t) throws {
    // Its limit of time would end it too, somewhat later.
    _ = try ProcessTable.eventually("process \(pid) ends", within: .seconds(45)) { ProcessTable.runs(pid) ? nil : true }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalDuringALayoutLeavesNoFileAndNoChild(signal: Int32) async throws {
    let tool = try render()
    let child = try tool.layout()
    try waitForFile()
    kill(tool.pid, signal)
    let end = await tool.ending()
    #expect(end.status == 128 + signal && end.output.isEmpty && end.errors.isEmpty, "\(end)")
    try waitForTheEnd(of: child)
    #expect(try folder.names == ["large.json"])
  }

  /// The command that checks ends as it always does, also with a picture in the making.
  @Test func aSignalDuringThePictureOfACheckLeavesNoFileAndNoChild() async throws {
    // Little is found, so the layout is short: it may be over before it is seen, or stopped.
    for _ in 0..<100 {
      let tool = try AttackedTool(["check", "large.json", "-o", "out.svg"], in: folder.url)
      guard let child = try tool.layoutIfSeen() else { continue }
      kill(child, SIGSTOP)
      let isStopped = try ProcessTable.eventually("the layout is stopped, or over") {
        ProcessTable.isStopped(child) ? true : ProcessTable.runs(child) ? nil : false
      }
      guard isStopped else { continue }
      try? FileManager.default.removeItem(at: folder.file("out.svg"))
      kill(tool.pid, SIGTERM)
      #expect(await tool.ending().status == 128 + SIGTERM)
      try waitForTheEnd(of: child)
      #expect(try folder.names == ["large.json"])
      return
    }
    Issue.record("no layout was ever seen")
  }

  @Test func aLayoutEndsByItselfWhenTheToolIsKilled() async throws {
    let tool = try render()
    let child = try tool.layout()
    kill(tool.pid, SIGKILL)
    #expect(await tool.ending().status == 128 + SIGKILL)
    try waitForTheEnd(of: child)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL])
  func theLayoutsOfTheLivePageEndWithIt(signal: Int32) async throws {
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let program = try FakeProgram("Large", pid: 701, in: folder.file("sockets"))
    defer { program.end() }
    var graph = SampleGraphs.large(.one, count: 3_000)
    graph.process.pid = 701
    try program.serve(graph)
    let (tool, client) = try await PageClient.start(in: folder.url)
    let list = try client.events()
    let words = try #require(await list.next("programs") { $0.data.contains("701") }).data
    let id = try #require(words.firstMatch(of: /"id":"([^"]+)"/)).1
    let events = try client.events("&program=\(id)&all=1")
    let child = try ProcessTable.eventually("a layout begins") {
      ProcessTable.children(of: tool.pid).first { ProcessTable.arguments(of: $0).contains("layout-child") }
    }
    kill(tool.pid, signal)
    let status = await tool.status()
    #expect(status == (signal == SIGKILL ? 128 + signal : 0))
    try waitForTheEnd(of: child)
    withExtendedLifetime(events) {}
  }

  @Test func aLayoutThatTheSystemKillsIsToldAsThatAndNotAsTooSlow() async throws {
    let tool = try render()
    kill(try tool.layout(), SIGKILL)
    let end = await tool.ending()
    #expect(end.status == 1 && !end.errors.contains("longer than"), "\(end)")
    #expect(end.errors.hasPrefix("Error: The layout process was killed, probably because memory ran out. Show less"))
    #expect(try folder.names == ["large.json"])
  }

  @Test(arguments: [
    (SIGTERM, "Error: The layout process was killed (Terminated). Try again.\n"),
    (SIGXCPU, "Error: The layout took longer than 60 s. Show less with --focus, or raise --time-limit.\n"),
    (
      SIGSEGV,
      "Error: libgraphviz crashed while laying out the graph (Segmentation fault). Show less with --focus, or raise --memory-limit (now 2048 MB).\n"
    ),
  ])
  func aSignalToTheLayoutIsToldInOneSentence(signal: Int32, words: String) async throws {
    // As whoever looks for a mistake in a program of their own has it.
    let tool = try render(["SWIFT_BACKTRACE": "enable=yes,color=no"])
    let child = try tool.layout()
    try waitForFile()
    _ = try ProcessTable.eventually("the layout has set its limits") {
      (try? String(contentsOfFile: "/proc/\(child)/limits", encoding: .utf8)).map { $0.contains(" 60 ") ? true : nil }
        ?? true
    }
    kill(child, signal)
    let end = await tool.ending()
    #expect(end.status == 1 && end.errors == words, "\(end)")
    #expect(try folder.names == ["large.json"])
  }

  @Test(arguments: [SIGSEGV, SIGILL, SIGTRAP])
  func aCrashOfTheToolItselfWritesNoPagesOfAddresses(signal: Int32) async throws {
    let tool = try render()
    _ = try tool.layout()
    kill(tool.pid, signal)
    let end = await tool.ending()
    #expect(end.status == 128 + signal && end.output.isEmpty && end.errors.isEmpty, "\(end)")
  }

  /// Its output file was looked at before it began to watch.
  @Test(
    arguments: [["render", "--watch", "-o", "live.mmd"], ["check", "--watch", "-o", "found.mmd", "--for", "1s"]],
    [SIGINT, SIGTERM, SIGHUP])
  func aWatchWithAFileEndsWithEachSignal(command: [String], signal: Int32) async throws {
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let program = try FakeProgram("Fake", pid: 704, in: sockets)
    defer { program.end() }
    let tool = try AttackedTool(command, in: folder.url)
    _ = try ProcessTable.eventually("it asks again") {
      program.requestedPaths.count { $0 == "/snapshot" } > 1 ? true : nil
    }
    kill(tool.pid, signal)
    let end = await tool.ending()
    #expect((0...1).contains(end.status), "\(end)")
  }

  #if os(Linux)
    @Test func aSecondSignalEndsWhatCannotWrite() async throws {
      let sockets = folder.file("sockets")
      try FileManager.default.createDirectory(
        at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let program = try FakeProgram("Fake", pid: 703, in: sockets)
      defer { program.end() }
      var graph = SampleGraphs.large(.one, count: 200)
      graph.process = ProcessIdentity(name: "Fake", pid: 703, startedAt: 1_700_000_000)
      try program.serve(graph)
      let pipe = Pipe()
      // F_SETPIPE_SZ, which the C library declares only as an extension.
      let capacity = fcntl(pipe.fileHandleForWriting.fileDescriptor, 1_031, 4_096)
      try #require(capacity > 0)
      let words = ["top", "--json", "--nodes", "--limit", "1000", "--every", "100ms", "--socket", program.socketPath]
      let tool = try AttackedTool(words, in: folder.url, output: pipe)
      _ = try ProcessTable.eventually("nothing more can be written") {
        var count: Int32 = 0
        _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
        return count == capacity ? true : nil
      }
      // One that follows at once may be the same request.
      _ = try ProcessTable.eventually("it ends") {
        kill(tool.pid, SIGTERM) == 0 && ProcessTable.runs(tool.pid) ? nil : true
      }
      #expect(await tool.ending().status == 128 + SIGTERM)
    }
  #endif

  /// Who looks on ends that, also before there was anything to see: that is no failure.
  @Test(arguments: [["top"], ["render", "--watch", "-o", "live.svg"]])
  func whatLooksOnMayBeEndedBeforeTheFirstAnswer(command: [String]) async throws {
    let sockets = folder.file("sockets")
    try FileManager.default.createDirectory(
      at: sockets, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let socket = SocketFile(
      directory: sockets.path, process: ProcessIdentity(name: "Silent", pid: 702, startedAt: 1_700_000_000))
    let server = try LocalSocket.serving(socket)
    defer {
      server.close()
      socket.remove()
    }
    let tool = try AttackedTool(command + ["--socket", socket.path], in: folder.url)
    let client = try ProcessTable.eventually("it asks") { try server.nextClient() }
    kill(tool.pid, SIGINT)
    let end = await tool.ending()
    #expect(end.status == 0 && end.errors.isEmpty, "\(end)")
    client.close()
  }
}
