import Foundation

/// What was done and what was found.
final class Report {
  private let seconds: Double
  private let began = Watch.uptime()
  private var counts: [String: Int] = [:]
  var events = 0
  var subscriptions = 0
  var meetings = 0
  var graphs = 0
  var seeds = 0

  init(seconds: Double) { self.seconds = seconds }

  var hasFindings: Bool { !counts.isEmpty }

  /// Prints a finding when it is the first of its kind, and counts it.
  ///
  /// - Returns: Whether it was the first.
  @discardableResult
  func add(_ finding: Finding, command: String, details: String?) -> Bool {
    counts[finding.check, default: 0] += 1
    guard counts[finding.check] == 1 else { return false }
    say(
      """
      FINDING \(finding.check), after \(String(format: "%.1f", Watch.uptime() - began)) s
        expected: \(shortened(finding.expected))
        seen: \(shortened(finding.seen))
        repeat: \(command)
      """)
    if let details { say(details) }
    return true
  }

  /// Prints each kind of finding with its number, and the one line that says it all.
  func printSum() {
    for (check, count) in counts.sorted(by: { $0.key < $1.key }) { say("found \(count) times: \(check)") }
    say(
      "\(Int(Watch.uptime() - began)) s, \(grouped(events)) events, \(grouped(subscriptions)) subscriptions, "
        + "\(grouped(graphs)) graphs, \(grouped(meetings)) meetings, \(grouped(seeds)) seeds, "
        + (counts.isEmpty ? "no finding" : "\(counts.count) kinds of findings"))
  }

  private func shortened(_ text: String) -> String {
    text.count <= 400 ? text : text.prefix(400) + " ..."
  }
}

/// A number with commas between the thousands.
func grouped(_ number: Int) -> String {
  var digits = String(number)
  var position = digits.count - 3
  while position > 0 {
    digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
    position -= 3
  }
  return digits
}
