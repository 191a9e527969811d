import Foundation
import SignalAttach
import SignalGraph
import Synchronization
import Testing

@testable import SignalInspector

@Suite struct EndpointTests {
  @Test func helloTellsTheProcess() async throws {
    try await withInspector { path, _ in
      let hello = try JSONDecoder().decode(Hello.self, from: Data(RawClient.get(path, "/hello").body.utf8))
      #expect(hello == Hello())
    }
  }

  @Test(arguments: [0, 1, 64, 65, 5_000]) func snapshotArrivesWhole(nodes: Int) async throws {
    let graph = GraphProvider.fixed(nodes)
    try await withInspector(graph) { path, _ in
      let body = try RawClient.get(path, "/snapshot").body
      #expect(try JSONDecoder().decode(GraphSnapshot.self, from: Data(body.utf8)) == graph.snapshot())
    }
  }

  @Test func aSummaryCountsAndIfThereIsTimeTellsTheRate() async throws {
    let looks = Mutex(0)
    let graph = GraphProvider(
      snapshot: {
        let look = looks.withLock { looks in
          looks += 1
          return looks
        }
        var handler = Definition(id: 2, kind: "subscribe", fileID: "App/Feed.swift", line: 43, function: "f()")
        // Those that were new in earlier looks.
        handler.gone = GoneNodes(nodes: UInt64(look - 1), values: UInt64(look - 1) * 7)
        return GraphSnapshot(
          process: .current, takenAt: Double(look),
          definitions: [
            Definition(id: 1, kind: "map", fileID: "App/Feed.swift", line: 42, function: "f()"), handler,
          ],
          nodes: [
            Node(id: 1, definition: 1, valueCount: UInt64(look) * 100, waiting: 3),
            Node(id: 2, definition: 2, valueCount: UInt64(look) * 10),
            Node(id: 3, definition: 2, state: .finished, valueCount: 5),
            // New in each look: what it got counts.
            Node(id: UInt64(look) * 100, definition: 2, valueCount: 7),
          ])
      }, observe: { _ in nil })
    try await withInspector(graph) { path, _ in
      for (target, rate) in [("/summary", nil), ("/summary?interval=1", 17.0)] {
        let body = try RawClient.get(path, target).body
        let summary = try JSONDecoder().decode(GraphSummary.self, from: Data(body.utf8))
        #expect(summary.process == .current)
        #expect(summary.nodeCount == 4 && summary.subscriptionCount == 2 && summary.waiting == 3)
        #expect(summary.rate == rate)
      }
      #expect(looks.withLock { $0 } == 3)
      #expect(try RawClient.get(path, "/summary?interval=10001").statusCode == "400")
    }
  }

  @Test func onlyWhatIsPointedAtIsSent() async throws {
    try await withInspector(.fixed(9)) { path, _ in
      let target = AttachRequest.snapshot(GraphFocus(["n4", "#8"], depth: 1)).target
      let body = try RawClient.get(path, target).body
      #expect(try JSONDecoder().decode(GraphSnapshot.self, from: Data(body.utf8)).nodes.map(\.id) == [3, 4, 5, 7, 8])
    }
  }

  @Test(arguments: ["/snapshot", "/stream"]) func aFocusThatNothingMatchesIsRefused(path endpoint: String) async throws
  {
    try await withInspector { path, _ in
      let answer = try RawClient.get(path, "\(endpoint)?focus=n1&focus=nobody")
      #expect(answer.statusCode == "404")
      let error = #expect(throws: GraphFocusError.self) {
        try GraphProvider.fixed(3).snapshot().focused(on: GraphFocus("nobody"))
      }
      #expect(answer.body == "\(try #require(error))\n")
    }
  }

  @Test func aStreamShowsWhatIsLeftOfItsFocus() async throws {
    let calls = Mutex(0)
    let shrinking = GraphProvider(
      snapshot: {
        // One look for the answer's head, one for the first line, then node 2 is gone.
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        return GraphProvider.fixed(call <= 2 ? 3 : 2).snapshot()
      }, observe: { _ in nil })
    try await withInspector(shrinking) { path, _ in
      let client = try RawClient(path)
      try client.send("GET /stream?interval=100&focus=n0&focus=n2&depth=0 HTTP/1.0\r\n\r\n")
      var text = ""
      while text.body.count(where: { $0 == "\n" }) < 2 { text += try client.readSome() }
      client.hangUp()
      let lines = try text.body.split(separator: "\n").prefix(2).map {
        try JSONDecoder().decode(SnapshotLine.self, from: Data($0.utf8))
      }
      #expect(lines.map { $0.content?.nodes.map(\.id) } == [[0, 2], [0]])
    }
  }

  @Test func piecesStayBelowOneMebibyte() throws {
    let nasty = GraphProvider.fixed(200, text: String(repeating: "\u{1}", count: 100_000)).snapshot()
    var largest = 0
    try JSONStream.write(nasty) { largest = max(largest, $0.count) }
    #expect(largest > 64 * 512)
    #expect(largest < 1 << 20)
  }

  @Test func streamSendsLinesAndSurvivesAClientThatLeaves() async throws {
    try await withInspector { path, _ in
      let client = try RawClient(path)
      try client.get("/stream?interval=100")
      let text = try client.readUntil("\"missed\":0,\"content\"")
      #expect(text.contains("Transfer-Encoding: chunked"))
      _ = try client.readUntil("}\n")
      client.hangUp()
      #expect(try RawClient.get(path, "/hello").statusCode == "200")
    }
  }

  @Test func watchEndsAfterItsTime() async throws {
    try await withInspector { path, _ in
      let body = try RawClient.get(path, "/watch?node=1&seconds=1").body
      let lines = try body.split(separator: "\n").map {
        try JSONDecoder().decode(ObservationLine.self, from: Data($0.utf8))
      }
      #expect(lines.first?.content == NodeObservation(node: 1, state: .live, valueCount: 1))
      #expect(lines.last?.ended?.contains("time") == true)
    }
  }

  @Test(arguments: [
    ("POST /hello HTTP/1.1\r\n\r\n", "405", "use GET"),
    ("DELETE /snapshot HTTP/1.1\r\nContent-Length: 2\r\n\r\nxx", "405", "use GET"),
    ("GET /other HTTP/1.1\r\n\r\n", "404", "/hello, /snapshot, /stream, /watch"),
    ("GET /stream?interval=99 HTTP/1.1\r\n\r\n", "400", "'interval'"),
    ("GET /snapshot?colour=red HTTP/1.1\r\n\r\n", "400", "'colour'"),
    ("GET /snapshot?focus= HTTP/1.1\r\n\r\n", "400", "'focus'"),
    ("GET /snapshot?depth=1 HTTP/1.1\r\n\r\n", "400", "'depth'"),
    ("GET /snapshot?focus=n1&depth=-1 HTTP/1.1\r\n\r\n", "400", "'depth'"),
    ("GET /watch HTTP/1.1\r\n\r\n", "400", "'node'"),
    ("GET /watch?node=99 HTTP/1.1\r\n\r\n", "404", "no node 99"),
    ("GET /hello HTTP/1.1\r\nContent-Length: 99999\r\n\r\n", "413", "99999"),
    ("GET /hello HTTP/2\r\n\r\n", "505", "HTTP/1.1"),
    ("nonsense\r\n\r\n", "400", "no HTTP request"),
    ("GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\n\r\n", "431", "shorter"),
  ]) func badRequest(request: String, status: String, words: String) async throws {
    try await withInspector { path, _ in
      let answer = try RawClient.ask(path, request)
      #expect(answer.statusCode == status)
      #expect(answer.body.contains(words))
    }
  }
}
