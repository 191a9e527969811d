import Foundation
import SignalFindings
import SignalPicture

/// The answer of `signal-viz why`.
struct WhyReport: Encodable {
  var explanations: [Explanation]
  /// Where no node is left, how those ended that were there.
  var ended: [EndedPlace] = []
  /// How many nodes there are at the place.
  var count: Int
  var watchedSeconds: Double

  /// For programs: sorted keys, so that the same answer gives the same bytes.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// For people: a sentence for each node, and the way up from it.
  func text(sources: SourceFolder) -> String {
    var lines: [String] = []
    for explanation in explanations {
      guard let first = explanation.steps.first else { continue }
      let place = first.place.map { sources.words($0) + ": " } ?? ""
      let time = watchedSeconds > 0 ? " in \(WatchTime(seconds: watchedSeconds).words)" : ""
      let wait = explanation.wait.map { " (\($0.words))" } ?? ""
      lines.append(
        "\(place)\(first.title) \(explanation.hasFired ? "fired" : "did not fire")\(time): \(explanation.reason)\(wait)"
      )
      lines += Self.lines(of: explanation.trails)
      for step in explanation.steps {
        let mark = step.node == explanation.obstacle ? "  <- values stop here" : ""
        let counts =
          watchedSeconds > 0 ? "\(Self.count(step.values)), \(step.total) in all" : Self.count(step.total)
        let place = step.place.map { "  " + sources.words($0) } ?? ""
        lines.append("  \(step.title)  \(counts)\(place)\(mark)")
        lines += step.notes.map { "    \($0)" }
      }
    }
    for place in ended { lines.append("\(sources.words(place.place)): `\(place.kind)`: \(place.words)") }
    if count > explanations.count {
      lines.append("\(count - explanations.count) more nodes are there; --limit shows them.")
    }
    return lines.map { $0.displayable(limit: 2_000) + "\n" }.joined()
  }

  private static func count(_ values: UInt64) -> String { values == 1 ? "1 value" : "\(values) values" }

  /// How many hops of the latest cause are shown.
  private static let largestTrail = 16

  /// The last causes: of the latest each hop, of those before a sentence.
  private static func lines(of trails: [CauseTrail]) -> [String] {
    guard let latest = trails.first else { return [] }
    var lines = ["  last \(Seconds(latest.age).words) ago on \(latest.thread), by cause \(latest.number):"]
    if !latest.isComplete, latest.hops.first?.beginning == nil {
      lines.append("    where it began is not known: it was too long ago, or is not followed")
    }
    let hops = latest.hops.suffix(largestTrail)
    if hops.count < latest.hops.count { lines.append("    \(latest.hops.count - hops.count) hops before these") }
    let threads = hops.map(\.thread.count).max() ?? 0
    for (index, hop) in hops.enumerated() {
      let time = index > 0 && hop.waited >= 0.000_05 ? "+" + Seconds(hop.waited).words : ""
      let place = hop.place.map { "  " + $0.shortWords } ?? ""
      lines.append(
        "    " + String(repeating: " ", count: max(0, 8 - time.count)) + time + "  " + hop.thread
          + String(repeating: " ", count: threads - hop.thread.count) + "  " + hop.title + place)
      if let beginning = hop.beginning {
        lines.append(String(repeating: " ", count: 16 + threads) + "\(beginning), cause \(hop.cause)")
      }
    }
    for (before, trail) in zip(trails, trails.dropFirst()) {
      let isSame = before.number == trail.number
      lines.append("  before: " + (isSame ? "\(Seconds(trail.age).words) ago, by the same cause" : trail.words))
    }
    return lines
  }
}
