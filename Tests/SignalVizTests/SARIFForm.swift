import Foundation

/// What SARIF 2.1.0 asks of the objects that are written: the properties that have to be there, those that may be, and their forms.
///
/// It is written after the tables of the specification; no other properties are allowed.
enum SARIFForm {
  private indirect enum Form: Sendable {
    case words
    case oneOf([String])
    case number(from: Int)
    case reference
    case object(String)
    case list(of: Form)
    case namedWords
  }

  private static let objects: [String: (required: [String], properties: [String: Form])] = [
    "sarifLog": (
      ["version", "runs"],
      ["$schema": .reference, "version": .oneOf(["2.1.0"]), "runs": .list(of: .object("run"))]
    ),
    "run": (
      ["tool"],
      [
        "tool": .object("tool"), "results": .list(of: .object("result")),
        "columnKind": .oneOf(["utf16CodeUnits", "unicodeCodePoints"]),
      ]
    ),
    "tool": (["driver"], ["driver": .object("toolComponent")]),
    "toolComponent": (
      ["name"], ["name": .words, "version": .words, "rules": .list(of: .object("reportingDescriptor"))]
    ),
    "reportingDescriptor": (
      ["id"],
      [
        "id": .words, "name": .words, "shortDescription": .object("message"), "fullDescription": .object("message"),
        "help": .object("message"),
      ]
    ),
    "message": (["text"], ["text": .words]),
    "result": (
      ["message"],
      [
        "ruleId": .words, "ruleIndex": .number(from: 0), "level": .oneOf(["none", "note", "warning", "error"]),
        "message": .object("message"), "locations": .list(of: .object("location")),
        "relatedLocations": .list(of: .object("location")), "partialFingerprints": .namedWords,
      ]
    ),
    "location": (
      [],
      [
        "id": .number(from: 0), "message": .object("message"), "physicalLocation": .object("physicalLocation"),
        "logicalLocations": .list(of: .object("logicalLocation")),
      ]
    ),
    "physicalLocation": (
      ["artifactLocation"], ["artifactLocation": .object("artifactLocation"), "region": .object("region")]
    ),
    "artifactLocation": (["uri"], ["uri": .reference, "uriBaseId": .words]),
    "region": (["startLine"], ["startLine": .number(from: 1)]),
    "logicalLocation": (["name"], ["name": .words, "kind": .words]),
  ]

  /// What is wrong with a text; nothing if it is in the form.
  static func problems(in json: Data) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: json)
    var problems = check(value, as: .object("sarifLog"), at: "$")
    // What the forms cannot say: a result's rule is the one that it names.
    let runs = (value as? [String: Any])?["runs"] as? [[String: Any]] ?? []
    for run in runs {
      let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
      let rules = (driver?["rules"] as? [[String: Any]] ?? []).map { $0["id"] as? String }
      if Set(rules).count != rules.count { problems.append("two rules have one id") }
      for result in run["results"] as? [[String: Any]] ?? [] {
        guard let index = result["ruleIndex"] as? Int, rules.indices.contains(index),
          rules[index] == result["ruleId"] as? String
        else {
          problems.append("the rule of a result is another one")
          continue
        }
      }
    }
    return problems
  }

  private static func check(_ value: Any, as form: Form, at path: String) -> [String] {
    switch form {
    case .words:
      return (value as? String)?.isEmpty == false ? [] : ["\(path) is no text"]
    case .oneOf(let words):
      return words.contains { $0 == value as? String } ? [] : ["\(path) is none of \(words)"]
    case .number(let least):
      return (value as? Int).map { $0 >= least } == true ? [] : ["\(path) is no number from \(least)"]
    case .reference:
      let plain = /(?:[A-Za-z0-9\-._~\/:]|%[0-9A-F]{2})+/
      return (value as? String)?.wholeMatch(of: plain) != nil ? [] : ["\(path) is no reference of a URI: \(value)"]
    case .namedWords:
      return value is [String: String] ? [] : ["\(path) are no texts with names"]
    case .list(let form):
      guard let list = value as? [Any] else { return ["\(path) is no list"] }
      return list.enumerated().flatMap { check($1, as: form, at: "\(path)[\($0)]") }
    case .object(let name):
      guard let object = value as? [String: Any], let rule = objects[name] else { return ["\(path) is no \(name)"] }
      let missing = rule.required.filter { object[$0] == nil }.map { "\(path) has no \($0)" }
      return missing
        + object.flatMap { key, value in
          rule.properties[key].map { check(value, as: $0, at: "\(path).\(key)") } ?? ["\(path).\(key) is not allowed"]
        }
    }
  }
}
