import SignalAttach
import SignalGraph
import Testing

@Suite struct AttachTests {
  @Test(arguments: [
    AttachRequest.hello,
    .snapshot(GraphFocus()),
    .snapshot(GraphFocus(["a&b=c +%ü/?", "x y", "App/Feed.swift:3"], depth: 0)),
    .stream(GraphFocus("App/Feed.swift"), intervalMilliseconds: 100),
    .watch(node: .max, seconds: 60, lines: 1),
    .trace(seconds: 3_600),
    .summary(milliseconds: 0),
    .summary(milliseconds: 10_000),
    .events(from: nil, seconds: 1),
    .events(from: .max, seconds: 60),
  ]) func requestSurvivesItsTarget(request: AttachRequest) throws {
    #expect(try AttachRequest(target: request.target) == request)
  }

  @Test func socketNameSurvivesParsing() {
    let file = SocketFile(directory: "/d", process: ProcessIdentity(name: "p", pid: 17, startedAt: 1_700_000_000.25))
    #expect(file.fileName == "17-1700000000250.sock")
    #expect(SocketFile(directory: "/d", fileName: file.fileName) == file)
    #expect(file.temporaryPath.utf8.count == file.path.utf8.count)
  }

  @Test(arguments: [
    "", ".sock", "17.sock", "017-1.sock", "+17-1.sock", "17-1-1.sock", "0-1.sock", "17-1.sock.tmp", ".17-1.tmp",
  ])
  func otherNamesAreNoSockets(name: String) {
    #expect(SocketFile(directory: "/d", fileName: name) == nil)
  }

  @Test func runtimeDirectoryComesFirstAndOverrideAlone() throws {
    let both = try SocketDirectory.searchList(environment: ["XDG_RUNTIME_DIR": "/tmp"])
    #expect(both.first?.path == "/tmp/signal-viz")
    #expect(both.count == 2)
    #expect(try SocketDirectory.searchList(environment: ["XDG_RUNTIME_DIR": "/no/such/place"]).count == 1)
    #expect(
      try SocketDirectory.searchList(environment: ["SIGNAL_VIZ_DIRECTORY": "/x/", "XDG_RUNTIME_DIR": "/tmp"])
        == [SocketDirectory(path: "/x")])
    #expect(throws: AttachError.pathNotAbsolute(path: "x")) {
      try SocketDirectory.standard(environment: ["SIGNAL_VIZ_DIRECTORY": "x"])
    }
  }

  @Test func newerProtocolIsRefusedWithBothVersions() {
    var hello = Hello()
    hello.protocolVersion = 7
    #expect(throws: AttachError.newerProtocol(theirs: 7, ours: 1)) { try hello.checkProtocol() }
  }
}
