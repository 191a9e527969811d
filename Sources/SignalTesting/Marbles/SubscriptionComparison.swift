import SignalMarbles

/// Compares the subscriptions that a source was expected to have with those it had, each in order of time.
public struct SubscriptionComparison: Hashable, Sendable {
  /// The expected subscriptions.
  public let expected: [SubscriptionDiagram]
  /// The actual subscriptions.
  public let actual: [SubscriptionDiagram]

  /// Compares subscriptions.
  ///
  /// - Parameters:
  ///   - expected: The expected subscriptions, in order of time.
  ///   - actual: The actual subscriptions, in order of time.
  public init(expected: [SubscriptionDiagram], actual: [SubscriptionDiagram]) {
    self.expected = expected
    self.actual = actual
  }

  /// Whether both are equal.
  public var isMatch: Bool {
    expected.count == actual.count && zip(expected, actual).allSatisfy { $0.matches($1) }
  }

  private func sentences(_ index: Int) -> [String] {
    let title = "subscription \(index + 1)"
    guard index < actual.count else { return ["\(title): missing"] }
    guard index < expected.count else { return ["\(title): extra"] }
    let (left, right) = (expected[index], actual[index])
    var result: [String] = []
    if left.subscribed ?? 0 != right.subscribed ?? 0 {
      result.append(
        "\(title): subscribed at \(time(right.subscribed ?? 0, right)) instead of \(time(left.subscribed ?? 0, left))")
    }
    switch (left.unsubscribed, right.unsubscribed) {
    case (let one?, let other?) where one != other:
      result.append("\(title): unsubscribed at \(time(other, right)) instead of \(time(one, left))")
    case (let one?, nil): result.append("\(title): never unsubscribed, expected at \(time(one, left))")
    case (nil, let other?): result.append("\(title): unsubscribed at \(time(other, right)), expected to stay")
    default: break
    }
    return result
  }

  private func time(_ nanoseconds: Int64, _ diagram: SubscriptionDiagram) -> String {
    let frame = max(1, diagram.frame)
    let frames = nanoseconds / frame
    guard nanoseconds % frame == 0, frames < 1000 else { return MarbleDuration.spoken(nanoseconds) }
    return "frame \(frames)"
  }

  private func table(_ index: Int) -> MarbleTable {
    func row(_ title: String, _ diagrams: [SubscriptionDiagram]) -> MarbleTable.Row {
      var cells: [MarbleTable.Slot: String] = [:]
      var last: MarbleTable.Slot? = MarbleTable.Slot(nanoseconds: -1, isInsideSubscribe: false)
      if index < diagrams.count {
        let diagram = diagrams[index]
        let start = MarbleTable.Slot(nanoseconds: diagram.subscribed ?? 0, isInsideSubscribe: false)
        cells[start] = "^"
        last = diagram.unsubscribed.map { MarbleTable.Slot(nanoseconds: $0, isInsideSubscribe: false) }
        if let last { cells[last] = last == start ? "(^!)" : "!" }
      }
      return MarbleTable.Row(title: title, cells: cells, last: last)
    }
    let rows = [row("expected", expected), row("actual", actual)]
    let times = rows.flatMap { $0.cells.keys.map(\.nanoseconds) }
    let marks = Set(rows[0].cells.keys).union(rows[1].cells.keys).filter { rows[0].cells[$0] != rows[1].cells[$0] }
    let frame = max(1, (expected + actual).map(\.frame).min() ?? 1_000_000)
    return MarbleTable(
      rows: rows, marks: marks, end: (times.max() ?? 0).addingSaturated(frame),
      frame: MarbleTable.frame(frame, fitting: times))
  }
}

extension SubscriptionComparison: CustomStringConvertible {
  /// Rows, carets and sentences for each subscription that differs. Empty if both are equal.
  public var description: String {
    let blocks = (0..<max(expected.count, actual.count)).compactMap { index -> String? in
      let sentences = sentences(index)
      guard !sentences.isEmpty else { return nil }
      let table = table(index)
      let frame = (expected + actual).map(\.frame).min() ?? table.frame
      let note = table.frame < frame ? ["(one - is \(MarbleDuration.spoken(table.frame)))"] : []
      return (table.lines() + note + [""] + sentences).joined(separator: "\n")
    }
    return blocks.joined(separator: "\n\n")
  }
}
