import Foundation
import SampleGraphs
import Testing

@testable import SignalGraph

/// What is wrong with a snapshot is said with its field, and with what is there instead.
@Suite("Wrong snapshots") struct WrongSnapshotTests {
  struct Field: Sendable, CustomTestStringConvertible {
    var key: String
    var value: String
    var path: String
    var detail: String
    var testDescription: String { "\(path) = \(value.prefix(30))" }

    init(_ key: String, _ value: String, _ path: String, _ detail: String) {
      (self.key, self.value, self.path, self.detail) = (key, value, path, detail)
    }
  }

  static let unreadable = "a number is negative, fractional or too large, or a string has an invalid escape sequence"

  /// A snapshot in which one field has another value.
  private func snapshot(_ key: String, _ value: String) -> Data {
    var fields = [
      "version": "1", "takenAt": "1700000000.5", "name": "\"P\"", "pid": "1", "startedAt": "0", "kind": "\"map\"",
      "line": "3",
      "ends": "{\"finished\":1,\"failed\":0,\"disposed\":0,\"unused\":0,\"released\":0,\"late\":0,"
        + "\"unhandled\":0,\"lost\":0,\"losing\":0,\"losingAll\":0}",
      "state": "\"live\"", "valueCount": "4", "rate": "2.5", "waiting": "1", "ownerID": "18446744073709551615",
      "causes": "[{\"number\":1,\"at\":2.5,\"thread\":\"main\"}]", "source": "7", "edge": "\"data\"", "extra": "null",
    ]
    fields[key] = value
    func field(_ name: String) -> String { fields[name] ?? "" }
    return Data(
      """
      {"version": \(field("version")), "takenAt": \(field("takenAt")), "extra": \(field("extra")),
       "process": {"name": \(field("name")), "pid": \(field("pid")), "startedAt": \(field("startedAt"))},
       "definitions": [{"id": 1, "kind": \(field("kind")), "fileID": "A/B.swift", "line": \(field("line")), "function": "f()",
                        "ends": \(field("ends"))}],
       "nodes": [{"id": 7, "definition": 1, "state": "live", "valueCount": 12, "rate": 0.25, "lastEventAt": -1.5},
                 {"id": 8, "definition": 1, "state": \(field("state")), "valueCount": \(field("valueCount")),
                  "rate": \(field("rate")), "waiting": \(field("waiting")), "ownerID": \(field("ownerID")),
                  "causes": \(field("causes"))}],
       "edges": [{"source": \(field("source")), "target": 8, "kind": \(field("edge"))}]}
      """.utf8)
  }

  @Test func theSnapshotThatIsMadeWrongIsRightBefore() throws {
    let graph = try GraphSnapshot(json: snapshot("", ""))
    #expect(graph.nodes.map(\.ownerID) == [nil, .max])
  }

  @Test(arguments: [
    Field("valueCount", "-1", "nodes[1]", Self.unreadable),
    Field("valueCount", "1e300", "nodes[1]", Self.unreadable),
    Field("valueCount", "1.5", "nodes[1]", Self.unreadable),
    Field("valueCount", "\"4\"", "nodes[1].valueCount", "expected a whole number, found \"4\""),
    Field("valueCount", "null", "nodes[1].valueCount", "expected a whole number, found null"),
    Field("valueCount", "true", "nodes[1].valueCount", "expected a whole number, found true"),
    Field("valueCount", "[4]", "nodes[1].valueCount", "expected a whole number, found a list"),
    Field("waiting", "-3", "nodes[1]", Self.unreadable),
    Field("ownerID", "18446744073709551616", "nodes[1]", Self.unreadable),
    Field("rate", "1e999", "nodes[1]", Self.unreadable),
    Field("rate", "\"fast\"", "nodes[1].rate", "expected a number, found \"fast\""),
    Field("takenAt", "-1e400", "takenAt", Self.unreadable),
    Field("pid", "4294967296", "process", Self.unreadable),
    Field("pid", "-4294967296", "process", Self.unreadable),
    Field("line", "3.25", "definitions[0]", Self.unreadable),
    Field("kind", "7", "definitions[0].kind", "expected a text, found 7"),
    Field("ends", "{}", "", ""),
    Field("ends", "[]", "definitions[0].ends", "expected an object, found a list"),
    Field("causes", "[{\"number\":-1,\"at\":0,\"thread\":\"\"}]", "nodes[1]", Self.unreadable),
    Field("kind", "\"a\\qb\"", "definitions[0]", Self.unreadable),
    Field("source", "-7", "edges[0]", Self.unreadable),
    Field("edge", "{}", "edges[0].kind", "expected a text, found an object"),
    Field("version", "1e300", "version", Self.unreadable),
    Field("version", "-5", "version", "versions start at 1, found -5"),
    Field(
      "state", "\"asleep\"", "nodes[1].state", "expected one of live, finished, failed, disposed, found \"asleep\""),
  ]) func aWrongFieldIsNamedWithWhatIsThere(_ field: Field) throws {
    let error = #expect(throws: GraphSnapshotError.self) { try GraphSnapshot(json: snapshot(field.key, field.value)) }
    guard !field.path.isEmpty else {
      guard case .missingField("definitions[0].ends.finished") = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      return
    }
    #expect(error == .invalidField(path: field.path, detail: field.detail))
  }

  @Test(arguments: [
    "{\"version\": 1,\n \"nodes\": [1,, 2]}", "{\"version\": NaN}", "{\"version\": 1} x", "no JSON at all",
  ])
  func textThatIsNotJSONIsReportedAsThat(text: String) throws {
    #expect(
      throws: GraphSnapshotError.notJSON(detail: "a JSON checker, such as `python3 -m json.tool FILE`, prints the line")
    ) {
      try GraphSnapshot(json: Data(text.utf8))
    }
  }

  @Test(arguments: [600, 100_000]) func whatIsNestedTooDeeplyIsNotJSON(depth: Int) throws {
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let error = #expect(throws: GraphSnapshotError.self) { try GraphSnapshot(json: snapshot("extra", nested)) }
    #expect("\(try #require(error))".contains("is not JSON"))
  }
}
