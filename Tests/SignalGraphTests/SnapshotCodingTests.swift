import Foundation
import SampleGraphs
import SignalGraph
import Testing

@Suite struct SnapshotCodingTests {
  @Test func whatIsWrittenIsReadBack() throws {
    let graph = SampleGraphs.searchBox
    #expect(try GraphSnapshot(json: graph.json()) == graph)
    #expect(try GraphSnapshot(json: graph.json(pretty: true)) == graph)
  }

  @Test func unknownFieldsAndFindingsAreLeftOut() throws {
    let json = """
      {"version": 1, "takenAt": 2, "mood": "new", "process": {"name": "P", "pid": 1, "startedAt": 0, "x": 1},
       "definitions": [{"id": 1, "kind": "map", "fileID": "A/B.swift", "line": 3, "function": "f()"}],
       "nodes": [{"id": 1, "definition": 1, "state": "live", "valueCount": 4},
                 {"id": 2, "definition": 1, "state": "live", "valueCount": 4, "findings": ["leaked", "glowing"]}],
       "edges": []}
      """
    let graph = try GraphSnapshot(json: Data(json.utf8))
    #expect(graph.nodes.map(\.findings) == [[], [.leaked]])
  }

  @Test func aKindOfEdgeThatIsNotKnownCountsAsData() throws {
    let json = """
      {"version": 1, "takenAt": 2, "process": {"name": "P", "pid": 1, "startedAt": 0},
       "definitions": [{"id": 1, "kind": "map", "fileID": "A/B.swift", "line": 3, "function": "f()"}],
       "nodes": [{"id": 1, "definition": 1, "state": "live", "valueCount": 4},
                 {"id": 2, "definition": 1, "state": "live", "valueCount": 4, "ownerID": 12}],
       "edges": [{"source": 1, "target": 2, "kind": "telepathy", "mood": "new"},
                 {"source": 1, "target": 2, "kind": "sampled", "count": 3}]}
      """
    let graph = try GraphSnapshot(json: Data(json.utf8))
    #expect(graph.edges == [Edge(source: 1, target: 2), Edge(source: 1, target: 2, kind: .sampled, count: 3)])
    #expect(graph.nodes.map(\.ownerID) == [nil, 12])
    #expect(try GraphSnapshot(json: graph.json()) == graph)
    let number = json.replacing("\"telepathy\"", with: "7")
    let error = #expect(throws: GraphSnapshotError.self) { try GraphSnapshot(json: Data(number.utf8)) }
    #expect("\(try #require(error))".contains("edges[0].kind"))
  }

  @Test func endsOfChannelsAreWrittenWhereThereAreSome() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("map", line: 1)
    graph.add("map", line: 2)
    var snapshot = graph.snapshot
    snapshot.nodes[0].channels = [ChannelEnd(.from, "orders"), ChannelEnd(.to, "bills")]
    let json = try String(decoding: snapshot.json(), as: UTF8.self)
    #expect(json.ranges(of: "\"channels\":").count == 1)
    #expect(try GraphSnapshot(json: Data(json.utf8)) == snapshot)
    let newer = json.replacing("\"direction\":\"from\"", with: "\"direction\":\"beside\"")
    #expect(try GraphSnapshot(json: Data(newer.utf8)).nodes[0].channels == [ChannelEnd(.to, "bills")])
    let newest = newer.replacing("\"direction\":\"to\"", with: "\"direction\":\"above\"")
    #expect(try GraphSnapshot(json: Data(newest.utf8)).nodes[0].channels == nil)
    let wrong = json.replacing("\"orders\"", with: "7")
    let error = #expect(throws: GraphSnapshotError.self) { try GraphSnapshot(json: Data(wrong.utf8)) }
    #expect("\(try #require(error))".contains("nodes[0].channels"))
  }

  @Test func valuesThatWaitAreWrittenWhereThereAreSome() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("emitter", line: 1, waiting: 3)
    graph.add("emitter", line: 2)
    let json = try graph.snapshot.json()
    #expect(String(decoding: json, as: UTF8.self).ranges(of: "\"waiting\"").count == 1)
    #expect(try GraphSnapshot(json: json).nodes.map(\.waiting) == [3, nil])
  }

  @Test func valuesThatWereDroppedAreWrittenWhereThereAreSome() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("buffer", line: 1, dropped: 3)
    graph.add("buffer", line: 2)
    let json = try graph.snapshot.json()
    #expect(String(decoding: json, as: UTF8.self).ranges(of: "\"dropped\"").count == 1)
    #expect(try GraphSnapshot(json: json).nodes.map(\.dropped) == [3, nil])
  }

  @Test func whatANodeWorksOnIsWrittenWhereItIsKnown() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("interval", line: 1)
    graph.add("map", line: 2)
    var snapshot = graph.snapshot
    snapshot.nodes[0].scheduler = "main"
    snapshot.nodes[0].interval = 0.25
    snapshot.nodes[0].leadTime = 0
    let json = try snapshot.json()
    for key in ["scheduler", "interval", "leadTime"] {
      #expect(String(decoding: json, as: UTF8.self).ranges(of: "\"\(key)\":").count == 1)
    }
    #expect(try GraphSnapshot(json: json) == snapshot)
  }

  @Test func causesAreWrittenWhereThereAreSome() throws {
    var graph = SampleBuilder(name: "P", pid: 1)
    graph.add("emitter", line: 1)
    graph.add("emitter", line: 2)
    var snapshot = graph.snapshot
    snapshot.nodes[0].causes = [
      Cause(number: 7, at: 1.5, thread: "main", origin: .handler, by: 3, parent: 6),
      Cause(number: 8, at: 2, thread: "thread 1"),
    ]
    let json = try snapshot.json()
    #expect(String(decoding: json, as: UTF8.self).ranges(of: "\"causes\"").count == 1)
    #expect(try GraphSnapshot(json: json) == snapshot)
    let newer = String(decoding: json, as: UTF8.self).replacingOccurrences(of: "\"handler\"", with: "\"telepathy\"")
    #expect(try GraphSnapshot(json: Data(newer.utf8)).nodes[0].causes?.first?.origin == .unknown)
  }

  struct BadInput: Sendable, CustomTestStringConvertible {
    var json: String
    var error: GraphSnapshotError
    var testDescription: String { json }
  }

  private static let head =
    #""version": 1, "takenAt": 0, "process": {"name": "P", "pid": 1, "startedAt": 0}"#
  private static let place = #"{"id": 1, "kind": "map", "fileID": "A.swift", "line": 1, "function": "f"}"#
  private static let node = #"{"id": 5, "definition": 1, "state": "live", "valueCount": 0}"#

  static let badInputs: [BadInput] = [
    BadInput(json: "  \n", error: .empty),
    BadInput(json: #"{"version": 1, "takenAt": 0, "proc"#, error: .truncated(bytes: 34)),
    BadInput(json: #"{"takenAt": 0}"#, error: .missingField(path: "version")),
    BadInput(json: #"{"version": 99, "everything": "else"}"#, error: .newerVersion(found: 99, supported: 1)),
    BadInput(
      json: #"{"version": 0}"#, error: .invalidField(path: "version", detail: "versions start at 1, found 0")),
    BadInput(
      json: #"{"version": "1"}"#, error: .invalidField(path: "version", detail: #"expected a whole number, found "1""#)),
    BadInput(json: "{\(head), \"definitions\": [], \"nodes\": []}", error: .missingField(path: "edges")),
    BadInput(
      json: "{\(head), \"definitions\": [\(place)], \"nodes\": [\(node), {\"id\": 6}], \"edges\": []}",
      error: .missingField(path: "nodes[1].definition")),
    BadInput(
      json: "{\(head), \"definitions\": [\(place), \(place)], \"nodes\": [], \"edges\": []}",
      error: .duplicateDefinition(id: 1)),
    BadInput(
      json: "{\(head), \"definitions\": [\(place)], \"nodes\": [\(node), \(node)], \"edges\": []}",
      error: .duplicateNode(id: 5)),
    BadInput(
      json: "{\(head), \"definitions\": [], \"nodes\": [\(node)], \"edges\": []}",
      error: .unknownDefinition(node: 5, definition: 1)),
    BadInput(
      json:
        "{\(head), \"definitions\": [\(place)], \"nodes\": [\(node)], \"edges\": [{\"source\": 5, \"target\": 9, \"kind\": \"data\"}]}",
      error: .unknownNode(index: 0, node: 9)),
  ]

  @Test(arguments: badInputs) func badInputIsRefused(_ input: BadInput) throws {
    #expect(throws: input.error) { try GraphSnapshot(json: Data(input.json.utf8)) }
  }

  @Test(arguments: ["no JSON at all", "<xml/>", "{\"version\": 1,,}", "\u{1}\u{2}"])
  func whatIsNotJSONIsCalledSo(_ text: String) throws {
    let error = #expect(throws: GraphSnapshotError.self) { try GraphSnapshot(json: Data(text.utf8)) }
    guard case .notJSON = error else {
      Issue.record("\(text) gave \(String(describing: error))")
      return
    }
  }

  @Test func everyCutOfASnapshotIsRefused() throws {
    let whole = try SampleGraphs.searchBox.json()
    for length in stride(from: 1, to: whole.count, by: 37) {
      #expect(throws: GraphSnapshotError.truncated(bytes: length)) {
        try GraphSnapshot(json: whole.prefix(length))
      }
    }
  }

  @Test func anUnknownStateIsNamedWithItsPath() throws {
    let json = try String(decoding: SampleGraphs.searchBox.json(), as: UTF8.self)
      .replacing(#""state":"failed""#, with: #""state":"asleep""#)
    let error = #expect(throws: GraphSnapshotError.self) { try GraphSnapshot(json: Data(json.utf8)) }
    #expect("\(try #require(error))".contains("nodes[7].state"))
  }

  @Test func numbersThatAreNotFiniteCannotBeWritten() throws {
    var graph = SampleGraphs.searchBox
    graph.nodes[3].rate = .nan
    let error = #expect(throws: GraphSnapshotError.self) { try graph.json() }
    #expect("\(try #require(error))".contains("nodes[3].rate"))
  }
}
