import Foundation

/// What SARIF 2.1.0 asks of a report: its schema, which is in `Fixtures/sarif`, and what a schema cannot say.
enum SARIFForm {
  /// What is wrong with a text; nothing if it is in the form.
  static func problems(in json: Data) throws -> [String] {
    let file = PlantedProgram.package.appendingPathComponent("Fixtures/sarif/sarif-schema-2.1.0.json")
    var problems = try JSONSchema(Data(contentsOf: file)).problems(in: json)
    let runs = (try JSONSerialization.jsonObject(with: json) as? [String: Any])?["runs"] as? [[String: Any]] ?? []
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
}
