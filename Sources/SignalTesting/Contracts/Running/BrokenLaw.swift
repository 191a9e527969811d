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
    let heading = law.map { "breaks \($0.title)" } ?? "violates its contract"
    let advice = advice ?? law?.advice ?? "fix the operator, or declare its behaviour in its contract."
    let remedies = ["To do: \(advice)", "If this is intended: exemptions: [.\(check.rawValue): \"why\"]."]
    let parts = [
      "\"\(name)\" \(heading): \(check.situation)", marble, (facts + remedies).joined(separator: "\n"),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n").framed
  }
}
