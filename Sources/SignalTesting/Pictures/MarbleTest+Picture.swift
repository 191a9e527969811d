import SignalPicture
import Testing

extension MarbleTest {
  /// The picture of an expectation that does not hold: the sources, what is between, and both sides.
  func picture(of lines: ComparedLines, text: MarbleText, from begin: Int64, to left: Int64?) -> MarblePicture {
    var rows = inputRows
    // The call, and not its diagram, says what is between.
    if let code = text.source.flatMap(TestedCode.init)?.firstArgument { rows.append(.box(code)) }
    return lines.picture(title: Self.title(text.place), above: rows, from: begin, to: left)
  }

  /// The picture of a source whose subscriptions are not as they should be.
  func picture(of subscriptions: SubscriptionComparison, place: MarbleSource?) -> MarblePicture {
    let frames = subscriptions.expected + subscriptions.actual
    return MarblePicture(
      title: Self.title(place), rows: inputRows + subscriptions.rows, frame: frames.map(\.frame).min() ?? 1_000_000)
  }

  private static func title(_ place: MarbleSource?) -> String {
    let test = Test.current.map { $0.displayName ?? $0.name }
    return [test, place.map { "\($0.fileName):\($0.line)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// The sources: one that runs on its own, or one line for each subscription to one that begins anew.
  private var inputRows: [MarblePicture.Row] {
    drawnInputs.enumerated().flatMap { index, input -> [MarblePicture.Row] in
      let name = input.text.source.flatMap(TestedCode.init)?.assignedName ?? "input \(index + 1)"
      guard
        let diagram = try? ParsedMarbleDiagram(
          input.text, role: input.isHot ? .hot : .cold, dialect: dialect, frame: frame
        ).diagram
      else { return [] }
      if input.isHot {
        var line = MarblePicture.Line(name, diagram)
        line.begin = min(0, diagram.start)
        return [.line(line)]
      }
      let spans = input.log.diagrams(frame: diagram.frame)
      return spans.prefix(4).map { span in
        .line(MarblePicture.Line(name, diagram, offset: span.subscribed ?? 0, left: span.unsubscribed))
      }
    }
  }
}
