import Foundation
import Testing

/// Each word of a schema is seen to refuse something, so that a report of findings cannot pass because nobody looked.
@Suite struct JSONSchemaTests {
  struct Word: Sendable, CustomTestStringConvertible {
    var schema: String
    var follows: [String]
    var refused: [String]
    var testDescription: String { schema }

    init(_ schema: String, follows: [String], refused: [String]) {
      (self.schema, self.follows, self.refused) = (schema, follows, refused)
    }
  }

  @Test(arguments: [
    Word(#"{"type": "integer"}"#, follows: ["1", "-7"], refused: ["1.5", "\"1\"", "true", "null", "[1]"]),
    Word(#"{"type": "number"}"#, follows: ["1", "1.5"], refused: ["\"1\"", "false"]),
    Word(#"{"type": "boolean"}"#, follows: ["true", "false"], refused: ["0", "1", "null"]),
    Word(#"{"type": ["array", "null"]}"#, follows: ["[]", "null"], refused: ["{}", "0"]),
    Word(#"{"enum": ["one", "two"]}"#, follows: ["\"two\""], refused: ["\"three\"", "1"]),
    Word(#"{"required": ["a"]}"#, follows: ["{\"a\": null}"], refused: ["{\"b\": 1}"]),
    Word(#"{"properties": {"a": {"type": "string"}}}"#, follows: ["{\"b\": 1}"], refused: ["{\"a\": 1}"]),
    Word(
      #"{"properties": {"a": {}}, "additionalProperties": false}"#, follows: ["{\"a\": 1}"], refused: ["{\"b\": 1}"]),
    Word(#"{"additionalProperties": {"type": "string"}}"#, follows: ["{\"b\": \"\"}"], refused: ["{\"b\": 1}"]),
    Word(#"{"items": {"type": "string"}}"#, follows: ["[]", "[\"a\"]"], refused: ["[\"a\", 1]"]),
    Word(#"{"minItems": 2}"#, follows: ["[1, 1]"], refused: ["[1]"]),
    Word(
      #"{"uniqueItems": true}"#, follows: ["[1, 2]", "[{\"a\": 1}, {\"a\": 2}]"], refused: ["[{\"a\": 1}, {\"a\": 1}]"]),
    Word(#"{"minimum": 0, "maximum": 9}"#, follows: ["0", "9"], refused: ["-1", "10"]),
    Word(#"{"pattern": "^[0-9]+(\\.[0-9]+){3}$"}"#, follows: ["\"1.2.3.4\""], refused: ["\"1.2.3\""]),
    Word(#"{"format": "uri-reference"}"#, follows: ["\"App/A%20b.swift\""], refused: ["\"App/A b.swift\"", "\"%4\""]),
    Word(#"{"format": "date-time"}"#, follows: ["\"2026-01-02T03:04:05Z\""], refused: ["\"yesterday\""]),
    Word(
      #"{"anyOf": [{"type": "string"}, {"minimum": 3}]}"#, follows: ["\"a\"", "3"], refused: ["2"]),
    Word(
      #"{"oneOf": [{"minimum": 3}, {"maximum": 5}]}"#, follows: ["2", "6"], refused: ["4"]),
    Word(
      ##"{"$ref": "#/definitions/a", "definitions": {"a": {"type": "string"}}}"##, follows: ["\"a\""], refused: ["1"]),
  ])
  func eachWordRefuses(word: Word) throws {
    let schema = try JSONSchema(Data(word.schema.utf8))
    for text in word.follows { #expect(try schema.problems(in: Data(text.utf8)) == [], "\(text)") }
    for text in word.refused { #expect(try schema.problems(in: Data(text.utf8)) != [], "\(text)") }
  }

  @Test(arguments: [#"{"not": {}}"#, #"{"format": "colour"}"#, ##"{"$ref": "#/elsewhere"}"##, #"{"items": [{}]}"#])
  func anUnknownWordIsAnError(schema: String) throws {
    let schema = try JSONSchema(Data(schema.utf8))
    #expect(throws: JSONSchema.Unknown.self) { try schema.problems(in: Data("[1]".utf8)) }
  }
}
