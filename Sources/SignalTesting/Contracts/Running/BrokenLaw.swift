import Signals

/// What a check found.
struct BrokenLaw: Error {
  /// Nil when it is the contract's own words that do not hold.
  var law: OperatorLaw?
  /// Expected and actual, or what was received: lines of diagrams.
  var marble: String
  /// What the diagrams do not show, a sentence each.
  var facts: [String] = []
  /// What helps here, where that is something else than what usually helps with the law.
  var advice: String?

  /// The whole message.
  func message(of name: String, _ check: OperatorCheck) -> String {
    let heading = law.map { "breaks \($0.title)" } ?? "does not keep its contract"
    let advice = advice ?? law?.advice ?? "mend the operator, or say in its contract what it does."
    let remedies = ["To do: \(advice)", "If that is meant: exemptions: [.\(check.rawValue): \"why\"]."]
    let parts = [
      "\"\(name)\" \(heading): \(check.situation)", marble, (facts + remedies).joined(separator: "\n"),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n").framed
  }
}
