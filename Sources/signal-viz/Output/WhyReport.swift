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
      lines.append(
        "\(place)\(first.title) \(explanation.hasFired ? "fired" : "did not fire")\(time): \(explanation.reason)")
      for step in explanation.steps {
        let mark = step.node == explanation.obstacle ? "  <- values stop here" : ""
        let counts = watchedSeconds > 0 ? "\(step.values) values, \(step.total) in all" : "\(step.total) values"
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
}
