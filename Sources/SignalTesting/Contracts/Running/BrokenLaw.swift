import Signals

/// A violation that a check found.
struct BrokenLaw: Error {
  /// Nil if a declaration of the contract is violated.
  var law: OperatorLaw?
  /// Expected and actual, or what was received: lines of diagrams.
  var marble: String
  /// Facts that the diagrams do not show, a sentence each.
  var facts: [String] = []
  /// The remedy, if it differs from the law's usual one.
  var advice: String?

  /// The whole message.
  func message(of name: String, _ check: OperatorCheck) -> String {
    let heading = law.map { "breaks \($0.title)" } ?? "violates its contract"
    let advice = advice ?? law?.advice ?? "fix the operator, or declare its behaviour in its contract."
    let remedies = ["To do: \(advice)", "If this is intended, pass exemptions: [.\(check.rawValue): \"why\"]."]
    let parts = [
      "\"\(name)\" \(heading): \(check.situation)", marble, (facts + remedies).joined(separator: "\n"),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n").framed
  }
}
