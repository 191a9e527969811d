import Foundation
import SignalFindings
import SignalPicture

/// The output of `signal-viz why`.
struct WhyReport: Encodable {
  var explanations: [Explanation]
  /// If no node is left, how the former ones ended.
  var ended: [EndedPlace] = []
  /// The number of nodes at the location.
  var count: Int
  var watchedSeconds: Double

  /// The machine-readable form: sorted keys, so that equal reports have the same bytes.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// The human-readable form: a sentence for each node, and the path upstream of it.
  ///
  /// - Parameter place: The text for a location.
  func text(place: (Place) -> String) -> String {
    var lines: [String] = []
    var teller = PlaceTeller(
      explanations.flatMap { explanation in
        [explanation.reason] + explanation.trails.map(\.words) + explanation.steps.flatMap(\.notes)
      }, and: explanations.flatMap { $0.columns }.map { ($0.title, place($0.place)) })
    for explanation in explanations {
      guard let first = explanation.steps.first else { continue }
      let head = first.place.flatMap { teller.place(of: first.title, place($0)) }.map { $0 + ": " } ?? ""
      let time = watchedSeconds > 0 ? " in \(WatchTime(seconds: watchedSeconds).words)" : ""
      let wait = explanation.wait.map { " (\($0.words))" } ?? ""
      lines.append(
        "\(head)\(first.title) \(explanation.hasFired ? "fired" : "did not fire")\(time): \(teller.words(explanation.reason))\(wait)"
      )
      lines += Self.lines(of: explanation.trails, &teller, place)
      for step in explanation.steps {
        let mark = step.node == explanation.obstacle ? "  <- values stop here" : ""
        let counts =
          watchedSeconds > 0
          ? "\(step.role.words(step.values)), \(step.total) in all" : step.role.words(step.total)
        let place = step.place.flatMap { teller.place(of: step.title, place($0)) }.map { "  " + $0 } ?? ""
        lines.append("  \(step.title)  \(counts)\(place)\(mark)")
        lines += step.notes.map { "    \(teller.words($0))" }
      }
    }
    for ended in ended { lines.append("\(place(ended.place)): `\(ended.kind)`: \(ended.words)") }
    if count > explanations.count {
      let more = count - explanations.count
      lines.append("\(more) more node\(more == 1 ? " is" : "s are") there; --limit shows them.")
    }
    return lines.map { $0.displayable(limit: 2_000) + "\n" }.joined()
  }

  /// The maximum number of hops of the latest cause.
  private static let largestTrail = 16

  /// The last causes: each hop of the latest one, a sentence for those before.
  private static func lines(
    of trails: [CauseTrail], _ teller: inout PlaceTeller, _ place: (Place) -> String
  ) -> [String] {
    guard let latest = trails.first else { return [] }
    var lines = ["  last \(Seconds(latest.age).words) ago on \(latest.thread), by cause \(latest.number):"]
    if !latest.isComplete, latest.hops.first?.beginning == nil {
      lines.append("    where it began is not known: it was too long ago, or is not followed")
    }
    let hops = latest.hops.suffix(largestTrail)
    if hops.count < latest.hops.count { lines.append("    \(latest.hops.count - hops.count) hops before these") }
    let threads = hops.map(\.thread.count).max() ?? 0
    var before: CauseTrail.Hop?
    for (index, hop) in hops.enumerated() {
      let time = index > 0 && hop.waited >= 0.000_05 ? "+" + Seconds(hop.waited).words : ""
      let words = hop.place.flatMap { teller.place(of: hop.title, place($0)) }.map { "  " + $0 } ?? ""
      lines.append(
        "    " + String(repeating: " ", count: max(0, 8 - time.count)) + time + "  " + hop.thread
          + String(repeating: " ", count: threads - hop.thread.count) + "  " + hop.title + words)
      if let beginning = hop.beginning {
        // The handler is the one of the line above.
        let author = before?.place.map { "sent by the handler at \(place($0))" }
        let words = beginning == author ? "sent by the handler above" : teller.words(beginning)
        lines.append(String(repeating: " ", count: 16 + threads) + "\(words), cause \(hop.cause)")
      }
      before = hop
    }
    for (before, trail) in zip(trails, trails.dropFirst()) {
      let isSame = before.number == trail.number
      lines.append(
        "  before: " + (isSame ? "\(Seconds(trail.age).words) ago, by the same cause" : teller.words(trail.words)))
    }
    return lines
  }
}

extension Explanation {
  /// The items that have lines of their own, with their locations.
  fileprivate var columns: [(title: String, place: Place)] {
    steps.compactMap { step in step.place.map { (step.title, $0) } }
      + (trails.first?.hops ?? []).compactMap { hop in hop.place.map { (hop.title, $0) } }
  }
}
