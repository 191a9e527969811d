import SignalPicture
import Testing

extension MarbleTest {
  /// The drawing of a failed expectation: the sources, the code between, and both sides.
  func picture(of lines: ComparedLines, text: MarbleText, from begin: Int64, to left: Int64?) -> MarblePicture {
    var lines = lines
    var rows = inputRows(in: &lines.excerpt)
    // The call, and not its diagram, contains the code between.
    if let code = text.source.flatMap(TestedCode.init)?.firstArgument { rows.append(.box(code)) }
    return lines.picture(title: Self.title(text.place), above: rows, from: begin, to: left)
  }

  /// The drawing of received events without an expected diagram: the sources, the code between, and the events.
  func picture<Value>(
    of events: [TimedEvent<Value>], text: MarbleText, span: SubscriptionDiagram
  ) -> MarblePicture {
    // Of thousands of events a drawing shows the first ones.
    let shown = events.prefix(MarblePicture.Excerpt.largestCount)
    var excerpt: MarblePicture.Excerpt?
    if let last = shown.last, shown.count < events.count {
      excerpt = MarblePicture.Excerpt(
        times: .min...last.nanoseconds, eventsBefore: 0, eventsAfter: events.count - shown.count)
    }
    var rows = inputRows(in: &excerpt)
    if let code = text.source.flatMap(TestedCode.init)?.firstArgument { rows.append(.box(code)) }
    var line = MarblePicture.Line(
      "received", received: Array(shown), begin: span.subscribed ?? 0, left: span.unsubscribed,
      label: { MarbleComparison<Value>.label($0) })
    line.role = .received
    var picture = MarblePicture(
      title: Self.title(text.place), rows: rows + [.line(line)], frame: frame.exactNanoseconds ?? 1,
      end: span.unsubscribed)
    picture.excerpt = excerpt
    return picture
  }

  /// The drawing of a source whose subscriptions differ from the expected ones.
  func picture(of subscriptions: SubscriptionComparison, place: MarbleSource?) -> MarblePicture {
    let frames = subscriptions.expected + subscriptions.actual
    var excerpt: MarblePicture.Excerpt?
    return MarblePicture(
      title: Self.title(place), rows: inputRows(in: &excerpt) + subscriptions.rows,
      frame: frames.map(\.frame).min() ?? 1_000_000)
  }

  private static func title(_ place: MarbleSource?) -> String {
    let test = Test.current.map { $0.displayName ?? $0.name }
    return [test, place.map { "\($0.fileName):\($0.line)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The sources: a hot one, or one line for each subscription to a cold one.
  ///
  /// - Parameter excerpt: The drawn part, with a count of the rest.
  private func inputRows(in excerpt: inout MarblePicture.Excerpt?) -> [MarblePicture.Row] {
    var rows: [MarblePicture.Row] = []
    for (index, input) in inputs.enumerated() {
      let name = input.text.source.flatMap(TestedCode.init)?.assignedName ?? "input \(index + 1)"
      if input.isHot {
        var line = MarblePicture.Line(name, excerpt.cut(input.diagram))
        line.begin = min(0, input.diagram.start)
        rows.append(.line(line))
      } else {
        for span in input.log.diagrams(frame: input.diagram.frame).prefix(4) {
          let begin = span.subscribed ?? 0
          rows.append(
            .line(
              MarblePicture.Line(
                name, excerpt.cut(input.diagram, offset: begin), offset: begin, left: span.unsubscribed)))
        }
      }
    }
    return rows
  }
}

extension MarblePicture.Excerpt? {
  /// The drawn part of a diagram.
  ///
  /// - Parameter offset: The time at which the diagram's time begins.
  fileprivate mutating func cut(_ diagram: MarbleDiagram, offset: Int64 = 0) -> MarbleDiagram {
    guard var excerpt = self else { return diagram }
    var result = diagram
    result.moments.removeAll(keepingCapacity: true)
    for moment in diagram.moments {
      let time = offset.addingSaturated(moment.nanoseconds)
      if excerpt.times.contains(time) {
        result.moments.append(moment)
      } else if time < excerpt.times.lowerBound {
        excerpt.eventsBefore += moment.events.count
      } else {
        excerpt.eventsAfter += moment.events.count
      }
    }
    self = excerpt
    return result
  }
}
