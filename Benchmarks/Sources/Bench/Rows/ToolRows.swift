import Measuring
import Results
import SignalGraph
import SignalPicture
import SignalTesting
import Signals

/// Snapshots, DOT text and marbles. One operation is one node or one event.
enum ToolRows {
  static let all = [snapshot(10), snapshot(1_000), snapshot(100_000), dot, parse, match]

  static func snapshot(_ nodes: Int) -> Row {
    Row(
      "snapshot of \(Figures.grouped(nodes)) nodes, per node", operations: max(nodes, 10_000), measuresGraph: false,
      batch: max(nodes, 1_000), maximumRounds: 5, expected: { $0 },
      [
        .signals {
          let graph = RecordedGraph(nodes: nodes)
          let sum = Sum()
          return Row.Run(
            perform: { for _ in 0..<$0 / nodes { sum.value += graph.recorder.snapshot().nodes.count } },
            result: { sum.value })
        }
      ])
  }

  /// The text of a picture in which every node is drawn by itself.
  static let dot = Row(
    "DOT text of 10,000 nodes, per node", operations: 10_000, measuresGraph: false, batch: 10_000, maximumRounds: 5,
    expected: { $0 },
    [
      .signals {
        let graph = RecordedGraph(nodes: 10_000)
        let snapshot = withExtendedLifetime(graph) { graph.recorder.snapshot() }
        let texts = Sum()
        let options = DrawingOptions(showsLegend: false, bundlesFrom: nil, boxLimit: nil)
        return Row.Run(
          perform: {
            for _ in 0..<$0 / 10_000 where (try? snapshot.dot(options: options))?.isEmpty == false { texts.value += 1 }
          },
          result: { texts.value * boxes(in: (try? snapshot.dot(options: options)) ?? "") })
      }
    ])

  private static let events = 10_000

  static let parse = Row(
    "marble diagram of 10,000 events, parse, per event", operations: events,
    goals: Goals(timesFaster: nil, nanoseconds: 200),
    measuresGraph: false, batch: events,
    expected: { $0 },
    [
      .signals {
        let sum = Sum()
        return Row.Run(
          perform: {
            for _ in 0..<$0 / events { sum.value += diagram()?.diagram.moments.count ?? 0 }
          },
          result: { sum.value })
      }
    ])

  static let match = Row(
    "marble diagram of 10,000 events, match, per event", operations: events,
    goals: Goals(timesFaster: nil, nanoseconds: 600),
    measuresGraph: false, batch: events,
    expected: { $0 },
    [
      .signals {
        let sum = Sum()
        let values = MarbleValues<String>(fallback: { $0.string })
        let parsed = diagram()
        let received = parsed.flatMap { try? values.schedule($0) } ?? []
        return Row.Run(
          perform: {
            for _ in 0..<$0 / events {
              guard let parsed, let comparison = try? MarbleComparison(parsed, values: values, actual: received),
                comparison.isMatch
              else { continue }
              sum.value += received.count
            }
          },
          result: { sum.value })
      }
    ])

  private static func diagram() -> ParsedMarbleDiagram? {
    try? ParsedMarbleDiagram(MarbleText(String(repeating: "-a-b", count: events / 2)), role: .expectation)
  }

  /// How many statements of nodes a text has. Each stands on a line of its own, as `n17 [...];`, links as `n17 -> n18 [...];`.
  private static func boxes(in text: String) -> Int {
    text.utf8.split(separator: UInt8(ascii: "\n")).count { line in
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard words.count == 2, words[0].first == UInt8(ascii: "n"), words[1].first == UInt8(ascii: "[") else {
        return false
      }
      return words[0].dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }
}
