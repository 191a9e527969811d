import Foundation
import SignalAttach
import SignalGraph
import Testing

@testable import SignalInspector

/// What whoever reaches the socket may try. Each time the next one who asks is answered.
@Suite("Under attack", .serialized, .timeLimit(.minutes(20))) struct UnderAttackTests {
  struct Request: Sendable, CustomTestStringConvertible {
    var text: String
    var status: String
    var testDescription: String { String(text.prefix(60)).debugDescription }

    init(_ status: String, _ text: String) { (self.status, self.text) = (status, text) }
  }

  static let malformed = [
    Request("400", "\r\n\r\n\r\n"), Request("400", "nonsense\r\n\r\n"), Request("400", "GET\r\n\r\n"),
    Request("400", "GET /hello\r\n\r\n"), Request("400", "GET  /hello HTTP/1.1\r\n\r\n"),
    Request("400", "GET /hello HTTP/1.1 more\r\n\r\n"), Request("400", "GET /hello FTP/1.1\r\n\r\n"),
    Request("505", "GET /hello HTTP/2\r\n\r\n"), Request("505", "GET /hello HTTP/\r\n\r\n"),
    Request("505", "GET /hello HTTP/0.9\r\n\r\n"), Request("405", "get /hello HTTP/1.1\r\n\r\n"),
    Request("405", "POST /hello HTTP/1.1\r\n\r\n"), Request("405", " /hello HTTP/1.1\r\n\r\n"),
    Request("405", "\u{0} /hello HTTP/1.1\r\n\r\n"), Request("404", "GET  HTTP/1.1\r\n\r\n"),
    Request("404", "GET http://x/hello HTTP/1.1\r\n\r\n"), Request("404", "GET /../hello HTTP/1.1\r\n\r\n"),
    Request("404", "GET /hello/ HTTP/1.1\r\n\r\n"), Request("404", "GET /HELLO HTTP/1.1\r\n\r\n"),
    Request("404", "GET /hell%6F HTTP/1.1\r\n\r\n"), Request("400", "GET /hello?x HTTP/1.1\r\n\r\n"),
    Request("400", "GET /snapshot?focus=%FF HTTP/1.1\r\n\r\n"),
    Request("400", "GET /snapshot?focus=%G1 HTTP/1.1\r\n\r\n"),
    Request("400", "GET /watch?node=-1 HTTP/1.1\r\n\r\n"), Request("400", "GET /watch?node=1&node=2 HTTP/1.1\r\n\r\n"),
    Request("400", "GET /stream?interval=99999999999999999999 HTTP/1.1\r\n\r\n"),
    Request("400", "GET /hello HTTP/1.1\r\nno colon\r\n\r\n"),
    Request("400", "GET /hello HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
    Request("400", "GET /hello HTTP/1.1\r\nContent-Length: 9999999999999999999999\r\n\r\n"),
    Request("413", "GET /hello HTTP/1.1\r\nContent-Length: 4097\r\n\r\n"),
    Request("413", "GET /hello HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
    Request("400", "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
    Request("431", "GET /hello HTTP/1.1\r\nX: \(String(repeating: "x", count: 9_000))\r\n\r\n"),
    Request("431", String(repeating: "\u{0}", count: 20_000)),
  ]

  @Test(arguments: malformed) func aRequestThatIsNoneIsRefusedInWords(_ request: Request) async throws {
    try await withInspector { path, _ in
      let answer = try RawClient.ask(path, request.text)
      #expect(answer.statusCode == request.status, "\(answer.prefix(300))")
      #expect(answer.hasPrefix("HTTP/1.1 ") && answer.body.count > 20 && answer.body.hasSuffix("\n"))
      #expect(try RawClient.get(path, "/hello").statusCode == "200")
    }
  }

  @Test func whoSendsItsRequestByteByByteIsAnsweredAndKeepsNobodyWaiting() async throws {
    var limits = InspectorLimits()
    limits.client.requestTime = .seconds(3_600)
    try await withInspector(limits: limits) { path, _ in
      let slow = try RawClient(path)
      for byte in "GET /hello HTTP/1.0\r\n\r\n" {
        try slow.send(String(byte))
        #expect(try RawClient.get(path, "/hello").statusCode == "200")
      }
      #expect(try slow.readToEnd().statusCode == "200")
    }
  }

  /// The places of those who never finish their request come free, however they send.
  @Test func whoSendsForEverLosesItsPlace() async throws {
    var limits = InspectorLimits()
    limits.client.requestTime = .milliseconds(200)
    limits.client.clients = 1
    try await withInspector(limits: limits) { path, _ in
      let slow = try RawClient(path)
      let end = ContinuousClock.now + .seconds(300)
      var isDropped = false
      // Fewer than are too many.
      var rest = 1_000
      while !isDropped, ContinuousClock.now < end {
        if rest > 0 { do { try slow.send("x") } catch { isDropped = true } }
        rest -= 1
        if (try? RawClient.get(path, "/snapshot").statusCode) == "200" { isDropped = true }
      }
      #expect(isDropped)
    }
  }

  @Test func fiveHundredConnectionsLeaveItAnswering() async throws {
    try await withInspector { path, _ in
      var clients: [RawClient] = []
      var refused = 0
      for _ in 0..<500 {
        // Where the queue of the system is full, the next one is not even let in.
        do { clients.append(try RawClient(path)) } catch { refused += 1 }
      }
      #expect(clients.count > 100, "\(refused) were refused")
      for client in clients { client.hangUp() }
      eventually("it answers again") { (try? RawClient.get(path, "/snapshot").statusCode) == "200" }
    }
  }

  /// Of those who ask at once, as many are answered as can be; the rest is told so or hung up on, and each thread ends.
  @Test func fiveHundredWhoAskAtOnceAreAnsweredOrRefused() async throws {
    try await withInspector(.fixed(2_000)) { path, _ in
      let clients = (0..<500).compactMap { _ -> RawClient? in
        guard let client = try? RawClient(path) else { return nil }
        return (try? client.get("/snapshot")) == nil ? nil : client
      }
      var codes: [String: Int] = [:]
      for client in clients { codes[(try? client.readToEnd().statusCode) ?? "", default: 0] += 1 }
      #expect(Set(codes.keys).isSubset(of: ["200", "503", ""]) && codes["200", default: 0] > 0, "\(codes)")
      eventually("it answers again") { (try? RawClient.get(path, "/hello").statusCode) == "200" }
    }
  }

  @Test func randomBytesAreRefusedAndEndNothing() async throws {
    var state: UInt64 = 20_251_122
    func random() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    try await withInspector { path, _ in
      for _ in 0..<300 {
        let count = Int(random() % 2_000)
        let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: random()) }
        let client = try RawClient(path)
        let heads = ["", "GET ", "GET /snapshot?focus=", "GET /hello HTTP/1.1\r\nContent-Length: "]
        do {
          try client.send(bytes: Array(heads[Int(random() % 4)].utf8) + noise + Array("\r\n\r\n\r\n".utf8))
          let answer = try client.readToEnd()
          #expect(["400", "404", "405", "413", "431", "505"].contains(answer.statusCode), "\(answer.prefix(200))")
        } catch is SystemCallError {
          // It was hung up on, as it goes on sending what nobody reads.
        }
      }
      #expect(try RawClient.get(path, "/hello").statusCode == "200")
    }
  }

  /// Who this is stays told while as many look as are answered.
  @Test func whoAsksOnlyWhoItIsIsAnsweredAlsoWhenTooManyLook() async throws {
    try await withInspector { path, _ in
      let four = try (0..<4).map { _ in try RawClient(path) }
      for client in four {
        try client.get("/watch?node=1&seconds=60")
        _ = try client.readUntil("content")
      }
      #expect(try RawClient.get(path, "/hello").statusCode == "200")
      #expect(try RawClient.ask(path, "POST /hello HTTP/1.1\r\n\r\n").statusCode == "503")
      #expect(try RawClient.get(path, "/summary").statusCode == "503")
    }
  }
}

/// Directories in which others have placed things.
@Suite("Hostile directories") struct HostileDirectoriesTests {
  @Test func whatIsNoSocketOfThisUserIsNeitherListedNorRemoved() throws {
    let parent = try TemporaryDirectory()
    let outside = try TemporaryDirectory()
    func path(_ name: String) -> String { "\(parent.path)/\(name)" }
    let dead = try #require(SocketFile(directory: outside.path, fileName: "9-9.sock"))
    try LocalSocket.serving(dead).close()
    // A file, a folder, a link to a dead socket elsewhere, one to nowhere, a pipe, and names that are none.
    try Data("keep".utf8).write(to: URL(fileURLWithPath: path("11-1.sock")))
    try FileManager.default.createDirectory(atPath: path("12-1.sock"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: path("13-1.sock"), withDestinationPath: dead.path)
    try FileManager.default.createSymbolicLink(atPath: path("14-1.sock"), withDestinationPath: "/no/such/place")
    #expect(mkfifo(path("15-1.sock"), 0o600) == 0)
    for name in ["-1-1.sock", "16-1.sock\u{1B}[31m", "017-1.sock", "18-99999999999999999999.sock", ".19-1.sock", "..."]
    {
      try Data().write(to: URL(fileURLWithPath: path(name)))
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted()
    #expect(before.count == 11)
    #expect(try parent.sockets.sockets().isEmpty)
    #expect(try parent.sockets.removeDeadSockets().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted() == before)
    #expect(FileManager.default.fileExists(atPath: dead.path))
  }

  @Test(arguments: [0o701, 0o710, 0o770, 0o777, 0o1777]) func oneThatOthersMayEnterIsNotUsed(mode: Int) throws {
    let parent = try TemporaryDirectory()
    chmod(parent.path, mode_t(mode))
    defer { chmod(parent.path, 0o700) }
    let error = AttachError.modeTooWide(path: parent.path, mode: UInt32(mode))
    #expect(throws: error) { try parent.sockets.sockets() }
    #expect(throws: error) { try parent.sockets.removeDeadSockets() }
    #expect(throws: error) { try parent.sockets.prepare() }
  }
}
