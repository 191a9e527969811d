// The received events, in a form that can be pasted into the test.
extension ComparisonText {
  /// A diagram with more events is not suitable for pasting.
  private static var longestReceived: Int { 10_000 }

  /// The line with the received events.
  var received: String {
    let count = comparison.actual.count
    guard count <= Self.longestReceived else { return "received: \(count) events" }
    let diagram = receivedDiagram
    var parts: [String] = []
    do {
      parts.append(
        "received: " + ShownValue.literal(try MarblePrinter(dialect: comparison.words.dialect).print(diagram)))
    } catch {
      guard let (text, frame) = finer(diagram) else { return "received: no diagram: \(error.description)" }
      parts.append("received, with marbles(frame: \(frame)): \(ShownValue.literal(text))")
    }
    if comparison.words.areStandIns {
      parts += names.newValues.map { "where \($0.key) is \($0.text)" }
    } else if !names.newValues.isEmpty {
      parts.append("\(comparison.words.argument): [" + list(names.newValues.map { ($0.key, $0.text) }) + "]")
    }
    let needsAdvice = names.newValues.prefix(5).contains { SwiftExpression.hasPlaceholder($0.text) }
    if !names.newErrors.isEmpty { parts.append("errors: [" + list(names.newErrors.map { ($0.name, $0.text) }) + "]") }
    return parts.joined(separator: ", ") + (needsAdvice ? "\n" + SwiftExpression.advice : "")
  }

  /// The diagram alone, as a literal.
  var receivedLiteral: String {
    let diagram = receivedDiagram
    let text = (try? MarblePrinter(dialect: comparison.words.dialect).print(diagram)) ?? finer(diagram)?.text
    return text.map(ShownValue.literal) ?? "(no diagram)"
  }

  private func list(_ entries: [(String, String)]) -> String {
    let shown = entries.prefix(5).map { "\(ShownValue.quoted($0.0)): \($0.1)" }.joined(separator: ", ")
    return entries.count > 5 ? "\(shown), … and \(entries.count - 5) more" : shown
  }

  /// The received events.
  var receivedDiagram: MarbleDiagram {
    let moments = receivedMoments(comparison.actual.indices)
    let last = moments.last
    let hasEnded = last?.events.last?.isEnd ?? false
    let frame = comparison.frame
    let after = last.map { $0.isInsideSubscribe ? $0.nanoseconds : $0.nanoseconds.addingSaturated(frame) } ?? 0
    return MarbleDiagram(moments: moments, end: hasEnded ? after : max(after, comparison.end), frame: frame)
  }

  /// The diagram with a shorter frame in which its moments fit, if they are too close for the test's own.
  private func finer(_ diagram: MarbleDiagram) -> (text: String, frame: String)? {
    let frame = MarbleTable.frame(diagram.frame, fitting: diagram.moments.map(\.nanoseconds))
    guard frame < diagram.frame else { return nil }
    var diagram = diagram
    diagram.frame = frame
    if let last = diagram.moments.last {
      let end = last.nanoseconds.addingSaturated(frame)
      diagram.end = last.events.last?.isEnd == true ? end : max(end, diagram.end)
    }
    return (try? MarblePrinter(dialect: comparison.words.dialect).print(diagram)).map { ($0, frame.spelledAsDuration) }
  }

}

extension SubscriptionDiagram {
  /// The line with the actual subscriptions.
  static func received(_ diagrams: [SubscriptionDiagram], dialect: MarbleDialect) -> String {
    guard let frame = diagrams.map(\.frame).min() else { return "received: no subscription" }
    func texts(_ frame: Int64) -> [String]? {
      try? diagrams.map { diagram in
        let diagram = SubscriptionDiagram(
          subscribed: diagram.subscribed, unsubscribed: diagram.unsubscribed, frame: frame)
        return ShownValue.literal(try MarblePrinter(dialect: dialect).print(diagram))
      }
    }
    if let texts = texts(frame) { return "received: " + texts.joined(separator: ", ") }
    let gaps = diagrams.compactMap { diagram in diagram.unsubscribed.map { $0 - (diagram.subscribed ?? 0) } }
    let finer = gaps.filter { $0 > 0 }.min() ?? frame
    guard finer < frame, let texts = texts(finer) else {
      return "received: " + diagrams.map(\.description).joined(separator: ", ")
    }
    return "received, with marbles(frame: \(finer.spelledAsDuration)): " + texts.joined(separator: ", ")
  }
}

extension Int64 {
  /// The nanoseconds as a duration in Swift source code.
  fileprivate var spelledAsDuration: String {
    if self % 1_000_000 == 0 { return ".milliseconds(\(self / 1_000_000))" }
    if self % 1_000 == 0 { return ".microseconds(\(self / 1_000))" }
    return ".nanoseconds(\(self))"
  }
}
