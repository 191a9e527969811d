import ArgumentParser
import Foundation
import SampleGraphs
import SignalAttach
import SignalGraph
import Testing

@testable import signal_viz

/// `serve`, spoken to as a browser does: the tool and the programs are other processes, or threads that answer as programs do.
@Suite("serve", .timeLimit(.minutes(20))) struct ServeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("sockets"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private struct Program: Decodable {
    var id: String
    var name: String
    var pid: Int32
    var hasEnded: Bool
  }

  private struct Counts: Decodable { var boxes: [[Double]] }

  private struct Picture: Decodable {
    struct Box: Decodable {
      struct Part: Decodable {
        var kind: String
        var name: String?
      }
      var key: String
      var id: String
      var parts: [Part]
    }
    var boxes: [Box]
  }

  private struct Status: Decodable {
    var hasEnded: Bool
    var problem: String?
  }

  private struct Hits: Decodable {
    struct Hit: Decodable {
      var id: String
      var box: String?
    }
    var total: Int
    var hits: [Hit]
  }

  /// The programs, as soon as they are as many.
  private func programs(_ client: PageClient, count: Int) async throws -> [Program] {
    let events = try client.events()
    let event = try await events.next("programs") { try $0.decoded(as: [Program].self).count == count }
    return try #require(event).decoded(as: [Program].self)
  }

  @Test func socketsBeyondOneBatchAreQueriedNext() {
    var state = ProgramList.State()
    let found = Dictionary(uniqueKeysWithValues: (1...20).map { ("\($0)", "/\($0).sock") })
    let now = ContinuousClock.now
    let first = state.takeDue(of: found, at: now)
    let second = state.takeDue(of: found, at: now)
    #expect(first.count == 16 && second.count == 4)
    #expect(Set((first + second).map(\.path)) == Set(found.values))
    // Those that do not respond are queried again later.
    let third = state.takeDue(of: found, at: now)
    let later = state.takeDue(of: found, at: now + .seconds(10))
    #expect(third.isEmpty && later.count == 16)
  }

  @Test func onlyWhoHasTheAddressIsAnswered() async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    let page = try await client.get("/")
    #expect(page.status == 200)
    #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    #expect(page.body.contains("/page.js"))
    let host = "Host: 127.0.0.1:\(client.port)\r\n"
    for path in ["/", "/open", "/events", "/graph.json", "/graph.svg", "/node", "/search"] {
      for query in ["", "?token=", "?token=\(client.token.dropLast())", "?token=\(client.token.dropLast())x"] {
        #expect(try await client.send("GET \(path)\(query) HTTP/1.0\r\n\(host)\r\n").status == 403, "\(path)\(query)")
      }
    }
    // At the default port, which browsers omit.
    #expect(try PageSite(port: 80, links: EditorLinks(LinkChoice.parse([]))).hosts.contains("127.0.0.1"))
    // A name of one's own that leads here (DNS rebinding), and another site's page.
    let target = "/?token=\(client.token)"
    for headers in [
      "", "Host: evil.example\r\n", "Host: 127.0.0.1\r\n", "Host: evil.example:\(client.port)\r\n",
      host + "Origin: http://evil.example\r\n", host + "Origin: null\r\n",
    ] {
      #expect(try await client.send("GET \(target) HTTP/1.1\r\n\(headers)\r\n").status == 403, "\(headers)")
    }
    let own = "Host: LocalHost:\(client.port)\r\nOrigin: http://localhost:\(client.port)\r\n"
    #expect(try await client.send("GET \(target) HTTP/1.1\r\n\(own)\r\n").status == 200)
    tool.interrupt()
    #expect(await tool.status() == 0)
  }

  @Test func nothingElseIsAnswered() async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    for path in ["/etc/passwd", "/../page.js", "/page.js/", "//", "/snapshot", "/Page/page.js", "*", "http://x/"] {
      #expect(try await client.get(path).status == 404, "\(path)")
    }
    let target = "/?token=\(client.token) HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n"
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "HEAD", "get"] {
      let answer = try await client.send("\(method) \(target)\r\n")
      #expect(answer.status == 405 && answer.header("Allow") == "GET", "\(method)")
    }
    #expect(try await client.send("GET \(target)Content-Length: 100000\r\n\r\n").status == 413)
    #expect(try await client.send("GET \(target)Host: evil.example\r\n\r\n").status == 400)
    #expect(try await client.send("GET \(target)X: \(String(repeating: "x", count: 9_000))\r\n\r\n").status == 431)
    #expect(try await client.send("\u{1}\u{2}\r\n\r\n").status == 400)
    #expect(try await client.get("/node", "&program=1-2&id=3").status == 404)
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/page.css", "text/css; charset=utf-8"),
    ("/page.js", "text/javascript; charset=utf-8"), ("/graph.js", "text/javascript; charset=utf-8"),
    ("/camera.js", "text/javascript; charset=utf-8"), ("/glide.js", "text/javascript; charset=utf-8"),
    ("/panel.js", "text/javascript; charset=utf-8"),
    ("/finder.js", "text/javascript; charset=utf-8"), ("/pace.js", "text/javascript; charset=utf-8"),
    ("/patch.js", "text/javascript; charset=utf-8"), ("/stream.js", "text/javascript; charset=utf-8"),
    ("/words.js", "text/javascript; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
  ])
  func filesAreServedUnderAStrictPolicy(path: String, type: String) async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let file = try await client.get(path)
    #expect(file.status == 200 && file.header("Content-Type") == type)
    let source = PlantedProgram.package.appending(path: "Sources/CPage/Files/\(path == "/" ? "page.html" : path)")
    #expect(try file.body == String(contentsOf: source, encoding: .utf8))
    let policy = file.header("Content-Security-Policy") ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
    #expect(!policy.contains("unsafe") && !policy.contains("http"))
    #expect(file.header("X-Content-Type-Options") == "nosniff")
    #expect(file.header("Referrer-Policy") == "no-referrer")
    #expect(file.header("Cache-Control") == "no-store")
  }

  @Test func aCountChanges() async throws {
    let program = try FakeProgram("Fake", pid: 601, in: folder.file("sockets"))
    defer { program.end() }
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let found = try await programs(client, count: 1)
    #expect(found[0].name == "Fake" && found[0].pid == 601 && !found[0].hasEnded)
    let events = try client.events("&program=\(found[0].id)")
    let picture = try #require(await events.next("picture")).decoded(as: Picture.self)
    let first = try #require(await events.next("counts")).decoded(as: Counts.self)
    #expect(first.boxes.count == picture.boxes.count)
    var graph = SampleGraphs.searchBox
    graph.process = ProcessIdentity(name: "Fake", pid: 601, startedAt: 1_700_000_000)
    graph.takenAt += 1
    let node = try #require(graph.nodes.firstIndex { $0.state == .live })
    graph.nodes[node].valueCount += 1_234
    try program.serve(graph)
    let box = try #require(picture.boxes.firstIndex { $0.id == "\(graph.nodes[node].id)" })
    let event = try await events.next("counts") { try !$0.decoded(as: Counts.self).boxes.isEmpty }
    let changed = try #require(event).decoded(as: Counts.self)
    // Only what changed is told, with the rate since the look before; the places stay as they are.
    #expect(changed.boxes.map(\.[0]) == [Double(box)])
    #expect(changed.boxes[0][1] == Double(graph.nodes[node].valueCount))
    #expect(changed.boxes[0][2] == 1_234)
  }

  @Test func aGraphIsToldBeforeWhatIsFoundInIt() throws {
    let program = try FakeProgram("Fake", pid: 602, in: folder.file("sockets"))
    defer { program.end() }
    let feed = ProgramFeed(socketPath: program.socketPath)
    var look = feed.look(after: 0, tracing: false, until: .distantFuture)
    #expect(look.graph != nil && look.number >= 1)
    while look.sequence < 2 { look = feed.look(after: look.sequence, tracing: false, until: .distantFuture) }
    // What is found is no other graph: counts would be told again, and nothing that is lit would stay so.
    #expect(look.number < look.sequence)
  }

  @Test func aProgramThatStartsLaterAppearsAndOneThatEndsIsSaid() async throws {
    let first = try FakeProgram("First", pid: 611, in: folder.file("sockets"))
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let id = try await programs(client, count: 1)[0].id
    let events = try client.events("&program=\(id)")
    _ = try await events.next("picture")
    let second = try FakeProgram("Second", pid: 612, in: folder.file("sockets"))
    defer { second.end() }
    let list = try #require(await events.next("programs") { try $0.decoded(as: [Program].self).count == 2 })
    #expect(try Set(list.decoded(as: [Program].self).map(\.name)) == ["First", "Second"])
    first.end()
    let status = try await events.next("status") { try $0.decoded(as: Status.self).hasEnded }
    #expect(status != nil)
    // It is started again.
    let third = try FakeProgram("First", pid: 613, in: folder.file("sockets"))
    defer { third.end() }
    let again = try #require(
      await events.next("programs") { try $0.decoded(as: [Program].self).contains { $0.pid == 613 } })
    let ended = try again.decoded(as: [Program].self).filter(\.hasEnded)
    #expect(ended.map(\.pid) == [611])
  }

  @Test func aProgramThatServesAgainIsShownAgain() async throws {
    let first = try FakeProgram("Fake", pid: 651, in: folder.file("sockets"))
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let events = try client.events("&program=\(try await programs(client, count: 1)[0].id)")
    _ = try await events.next("counts")
    let list = try client.events()
    first.end()
    #expect(try await events.next("status") { try $0.decoded(as: Status.self).hasEnded } != nil)
    #expect(try await list.next("programs") { try $0.decoded(as: [Program].self).contains(where: \.hasEnded) } != nil)
    let again = try FakeProgram("Fake", pid: 651, in: folder.file("sockets"))
    defer { again.end() }
    #expect(try await list.next("programs") { try !$0.decoded(as: [Program].self).contains(where: \.hasEnded) } != nil)
    #expect(try await events.next("status") { try !$0.decoded(as: Status.self).hasEnded } != nil)
    #expect(try await events.next("counts") != nil)
  }

  /// Its graphs are compared with each other from then on, and not with those before.
  @Test func aClockThatIsSetBackIsTheBeginningOfAnotherTime() throws {
    let program = try FakeProgram("Fake", pid: 652, in: folder.file("sockets"))
    defer { program.end() }
    var graph = SampleGraphs.searchBox
    graph.process = ProcessIdentity(name: "Fake", pid: 652, startedAt: 1_700_000_000)
    let feed = ProgramFeed(socketPath: program.socketPath)
    var look = ProgramFeed.Look()
    for change in [0, -3_600.0, 1.0] {
      graph.takenAt += change
      try program.serve(graph)
      while look.graph?.takenAt != graph.takenAt {
        look = feed.look(after: look.sequence, tracing: false, until: .distantFuture)
      }
    }
    #expect(look.before?.takenAt == graph.takenAt - 1)
  }

  #if os(Linux)
    /// Everybody on a machine can read the arguments of a process.
    @Test func whatOpensThePageIsNotToldTheToken() async throws {
      let opener = folder.file("xdg-open")
      try Data("#!/bin/sh\nprintf %s \"$*\" >opened.part && mv opened.part opened\n".utf8).write(to: opener)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: opener.path)
      let programs = "\(folder.url.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
      let tool = try RunningTool(["serve", "--open"], in: folder.url, environment: ["PATH": programs])
      let said = try #require(await tool.line { _ in true })
      let (_, port, token) = try #require(said.firstMatch(of: /:([0-9]+)\/\?token=([0-9a-f]+)/)).output
      let opened = try ProcessTable.eventually("the page is opened") {
        try? String(contentsOf: folder.file("opened"), encoding: .utf8)
      }
      #expect(!opened.contains(token))
      let client = PageClient(port: try #require(UInt16(port)), token: String(token))
      let path = try #require(opened.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+(\/open\?code=[0-9a-f]{32})/)).1
      func open(_ path: some StringProtocol) async throws -> PageClient.Answer {
        try await client.send("GET \(path) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      }
      #expect(try await open("\(path.dropLast())x").status == 403)
      let first = try await open(path)
      #expect(first.status == 303 && first.header("Location") == "/?token=\(token)")
      // Whoever has seen the argument comes too late.
      #expect(try await open(path).status == 403)
      tool.interrupt()
      #expect(await tool.status() == 0)
    }
  #endif

  @Test func aProgramThatSaysNonsenseIsSaid() async throws {
    let program = try FakeProgram(
      "Odd", pid: 621, in: folder.file("sockets"), answer: ("200 OK", "{\"\u{1B}[31m\": 1}"))
    defer { program.end() }
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let events = try client.events("&program=\(try await programs(client, count: 1)[0].id)")
    let status = try #require(await events.next("status") { try $0.decoded(as: Status.self).problem != nil })
    #expect(!status.data.contains("\u{1B}"))
    #expect(try await client.get("/").status == 200)
  }

  @Test func namesAreTextAndNothingElse() async throws {
    var builder = SampleBuilder(name: "</script><img src=x onerror=alert(1)>\u{1B}[2J", pid: 631)
    let source = builder.add("emitter", "<b onmouseover='x'>\u{202E}\"&\\", line: 1, values: 3)
    builder.connect(source, builder.add("subscribe", "data: \n\nevent: evil\n", line: 2, values: 3))
    let program = try FakeProgram("Hostile", pid: 631, in: folder.file("sockets"))
    defer { program.end() }
    try program.serve(builder.snapshot)
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let id = try await programs(client, count: 1)[0].id
    let events = try client.events("&program=\(id)")
    let event = try #require(await events.next("picture"))
    let names = try event.decoded(as: Picture.self).boxes.flatMap { $0.parts.compactMap(\.name) }
    #expect(Set(names) == ["<b onmouseover='x'>\"&\\", "data:   event: evil "])
    #expect(!event.data.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    let details = try await client.get("/node", "&program=\(id)&id=\(source)")
    #expect(details.status == 200 && details.header("Content-Type") == "application/json")
    #expect(!details.body.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
  }

  @Test func aNodeIsFoundAndExplained() async throws {
    let program = try FakeProgram("Fake", pid: 641, in: folder.file("sockets"))
    defer { program.end() }
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let id = try await programs(client, count: 1)[0].id
    let events = try client.events("&program=\(id)")
    let picture = try #require(await events.next("picture")).decoded(as: Picture.self)
    _ = try await events.next("counts")
    let named = try #require(SampleGraphs.searchBox.nodes.first { $0.name != nil && $0.state == .live })
    let words = (named.name ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let found = try await client.get("/search", "&program=\(id)&q=\(words.lowercased().replacing("%20", with: "+"))")
    let hits = try JSONDecoder().decode(Hits.self, from: Data(found.body.utf8))
    let hit = try #require(hits.hits.first { $0.id == "\(named.id)" })
    #expect(picture.boxes.contains { $0.key == hit.box })
    let details = try await client.get("/node", "&program=\(id)&id=\(hit.id)")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(details.body.utf8)) as? [String: Any])
    #expect(json["name"] as? String == named.name)
    #expect((json["path"] as? [Any])?.isEmpty == false)
    #expect((json["reason"] as? String)?.isEmpty == false)
    let part = "&program=\(id)&filter=\(words)"
    let drawn = try await client.get("/graph.svg", part)
    #expect(drawn.status == 200 && drawn.body.contains("<svg") && drawn.body.contains(named.name ?? "-"))
    #expect(drawn.header("Content-Disposition") == "attachment; filename=\"Fake.svg\"")
    let saved = try GraphSnapshot(json: Data(try await client.get("/graph.json", part).body.utf8))
    #expect(saved.nodes.contains { $0.id == named.id } && saved.nodes.count < SampleGraphs.searchBox.nodes.count)
    let gone = try await client.get("/node", "&program=\(id)&id=999999")
    #expect(gone.status == 200 && gone.body == "null")
    let nothing = try await client.get("/search", "&program=\(id)&q=no%20such%20node")
    #expect(try JSONDecoder().decode(Hits.self, from: Data(nothing.body.utf8)).total == 0)
  }

  @Test func readersAreBounded() async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    var readers: [PageClient.Events] = []
    for _ in 0..<32 {
      let events = try client.events()
      _ = try await events.next("programs")
      readers.append(events)
    }
    let refused = try await client.get("/")
    #expect(refused.status == 503 && refused.header("Retry-After") == "1")
    readers.removeAll()
    // A place is free when the server has seen that one left.
    var status = 503
    while status == 503 { status = try await client.get("/").status }
    #expect(status == 200)
  }

  /// Slow clients know no token; those that come later are answered at once all the same.
  @Test func slowClientsWithoutATokenDelayNoPage() async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    // A busy machine may need longer by itself, so there are several attempts.
    var isAnsweredAtOnce = false
    for _ in 1...10 where !isAnsweredAtOnce {
      var slow: [PageClient.Connection] = []
      for _ in 0..<500 {
        let connection = try PageClient.Connection(port: client.port)
        // Where it is cut off already, nothing can be sent.
        try? connection.write("GET /")
        slow.append(connection)
      }
      let start = ContinuousClock.now
      #expect(try await client.get("/").status == 200)
      // Before any of them is dropped for being slow.
      isAnsweredAtOnce = .now - start < ClientLimits().requestTime
      withExtendedLifetime(slow) {}
    }
    #expect(isAnsweredAtOnce)
  }

  @Test func aPortThatIsTakenIsSaid() async throws {
    let (tool, client) = try await PageClient.start(in: folder.url)
    defer { tool.interrupt() }
    let other = try await Tool.run(["serve", "--port", "\(client.port)"], in: folder.url)
    #expect(other.status == 1)
    #expect(other.errors.contains("The page cannot be served at port \(client.port): another program has it."))
  }
}
