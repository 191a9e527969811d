import Foundation
import SignalAttach
import SignalGraph
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
      #expect(try JSONDecoder().decode(GraphSnapshot.self, from: Data(body.utf8)) == graph.snapshot(SnapshotFilter()))
    }
  }

  @Test func filterReachesTheGraph() async throws {
    try await withInspector(.fixed(9)) { path, _ in
      let target = AttachRequest.snapshot(SnapshotFilter(focus: "n4", depth: 1, files: ["Feed.swift"])).target
      let body = try RawClient.get(path, target).body
      #expect(try JSONDecoder().decode(GraphSnapshot.self, from: Data(body.utf8)).nodes.map(\.id) == [3, 4, 5])
    }
  }

  @Test func piecesStayBelowOneMebibyte() throws {
    let nasty = GraphProvider.fixed(200, text: String(repeating: "\u{1}", count: 100_000)).snapshot(SnapshotFilter())
    var largest = 0
    try SnapshotPieces(snapshot: nasty).forEach { largest = max(largest, $0.count) }
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
    ("GET /snapshot?ended=maybe HTTP/1.1\r\n\r\n", "400", "'ended'"),
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
