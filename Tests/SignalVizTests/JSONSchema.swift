import Foundation

/// A schema of JSON texts, and what in a text does not follow it.
///
/// It knows the words of JSON Schema draft 4 which the schema of SARIF uses, and throws where a schema has another one, so that nothing is
/// passed over. `default`, `title` and `description` ask for nothing; of the formats it checks references of URIs.
/// Source: "JSON Schema Validation", draft 4, sections 5 and 7.
struct JSONSchema {
  struct Unknown: Error {
    var word: String
  }

  private let root: [String: Any]

  init(_ data: Data) throws {
    guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw Unknown(word: "root") }
    self.root = root
  }

  func problems(in json: Data) throws -> [String] {
    try problems(try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed), root, "$")
  }

  private func problems(_ value: Any, _ schema: [String: Any], _ path: String) throws -> [String] {
    try schema.sorted { $0.key < $1.key }.flatMap { word, rule in
      try problems(value, word, rule, in: schema, path).map { "\(path): \($0)" }
    }
  }

  private func problems(
    _ value: Any, _ word: String, _ rule: Any, in schema: [String: Any], _ path: String
  ) throws -> [String] {
    switch (word, rule) {
    case ("$schema", _), ("id", _), ("title", _), ("description", _), ("default", _), ("definitions", _):
      return []
    case ("$ref", let name as String):
      return try problems(value, try definition(name), path)
    case ("type", let name as String):
      return Self.kinds(of: value).contains(name) ? [] : ["is no \(name)"]
    case ("type", let names as [String]):
      return Self.kinds(of: value).isDisjoint(with: names) ? ["is none of \(names)"] : []
    case ("enum", let words as [String]):
      return words.contains { $0 == value as? String } ? [] : ["is none of \(words)"]
    case ("anyOf", let choices as [[String: Any]]):
      return try choices.contains { try problems(value, $0, path).isEmpty } ? [] : ["follows none of the forms"]
    case ("oneOf", let choices as [[String: Any]]):
      return try choices.count { try problems(value, $0, path).isEmpty } == 1 ? [] : ["does not follow one form"]
    case ("required", let names as [String]):
      guard let object = value as? [String: Any] else { return [] }
      return names.filter { object[$0] == nil }.map { "has no \($0)" }
    case ("properties", let rules as [String: [String: Any]]):
      guard let object = value as? [String: Any] else { return [] }
      return try rules.flatMap { name, rule in
        try object[name].map { try problems($0, rule, "\(path).\(name)") } ?? []
      }
    case ("additionalProperties", let rule):
      return try additional(value, rule, beside: schema["properties"] as? [String: Any] ?? [:], path)
    case ("items", let rule as [String: Any]):
      guard let list = value as? [Any] else { return [] }
      return try list.enumerated().flatMap { try problems($1, rule, "\(path)[\($0)]") }
    case ("minItems", let least as Int):
      return (value as? [Any]).map { $0.count < least } == true ? ["has less than \(least) items"] : []
    case ("uniqueItems", let isAsked as Bool):
      guard isAsked, let list = value as? [NSObject] else { return [] }
      return Set(list).count == list.count ? [] : ["has an item twice"]
    case ("minimum", let least as Double):
      return (value as? Double).map { $0 < least } == true ? ["is less than \(least)"] : []
    case ("maximum", let most as Double):
      return (value as? Double).map { $0 > most } == true ? ["is more than \(most)"] : []
    case ("pattern", let pattern as String):
      guard let text = value as? String else { return [] }
      return try text.contains(Regex(pattern)) ? [] : ["does not follow \(pattern)"]
    case ("format", let name as String) where ["uri", "uri-reference"].contains(name):
      let plain = /(?:[A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*/
      return (value as? String).map { $0.wholeMatch(of: plain) == nil } == true ? ["is no reference of a URI"] : []
    case ("format", "date-time" as String):
      return (value as? String).map { (try? Date($0, strategy: .iso8601)) == nil } == true ? ["is no time"] : []
    default:
      throw Unknown(word: word)
    }
  }

  private func additional(_ value: Any, _ rule: Any, beside known: [String: Any], _ path: String) throws -> [String] {
    let others = (value as? [String: Any] ?? [:]).filter { known[$0.key] == nil }
    if let isAllowed = rule as? Bool { return isAllowed ? [] : others.keys.map { "may not have \($0)" } }
    guard let rule = rule as? [String: Any] else { throw Unknown(word: "additionalProperties") }
    return try others.flatMap { try problems($1, rule, "\(path).\($0)") }
  }

  private func definition(_ name: String) throws -> [String: Any] {
    let prefix = "#/definitions/"
    guard name.hasPrefix(prefix), let definitions = root["definitions"] as? [String: [String: Any]],
      let found = definitions[String(name.dropFirst(prefix.count))]
    else { throw Unknown(word: name) }
    return found
  }

  /// The names of the types that a value has: a whole number is an `integer` and a `number`.
  private static func kinds(of value: Any) -> Set<String> {
    switch value {
    case is NSNull: ["null"]
    case is String: ["string"]
    case is [Any]: ["array"]
    case is [String: Any]: ["object"]
    case let number as NSNumber where number.objCType.pointee == CChar(UInt8(ascii: "c")): ["boolean"]
    case let number as NSNumber where number.doubleValue == number.doubleValue.rounded(): ["integer", "number"]
    case is NSNumber: ["number"]
    default: []
    }
  }
}
