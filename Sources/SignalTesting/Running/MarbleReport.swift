extension MarbleComparison {
  /// The comparison with what was received as a diagram that can be pasted into the test; empty where both agree.
  ///
  /// What is told is drawn too; see ``FailureSketch``.
  var report: String {
    if !isMatch { FailureSketch.current?.note(self) }
    return isMatch ? "" : "\(description)\(hint)\n\nreceived: \(received)".framed
  }

  private var received: String {
    do { return "\"\(try MarblePrinter().print(receivedDiagram))\"" } catch {
      return "no diagram: \(error.description)"
    }
  }

  /// What was received.
  var receivedDiagram: MarbleDiagram {
    let moments = receivedMoments
    let last = moments.last
    let hasEnded = last?.events.last?.isEnd ?? false
    let after = last.map { $0.isInsideSubscribe ? $0.nanoseconds : $0.nanoseconds + frame } ?? 0
    return MarbleDiagram(moments: moments, end: hasEnded ? after : max(after, end), frame: frame)
  }

  /// What to do where events come after the end of the diagram.
  private var hint: String {
    guard actual.last.map({ $0.nanoseconds >= end }) ?? false, expected.last?.notation.isEnd != true else { return "" }
    let time = MarbleDuration.spoken(end)
    return "\nThe diagram ends at \(time). Write what follows, or end the observation with subscription: \"^---!\"."
  }
}

extension String {
  /// On lines of its own, so that the rows stay under each other whatever a test runner writes in front.
  var framed: String {
    "\n"
      + split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)".trimmingEnd() }.joined(separator: "\n")
  }
}
