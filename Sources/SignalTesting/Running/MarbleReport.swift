import SignalMarbles

/// The message of a check of a marble test.
struct MarbleFailureText {
  /// The whole message; empty if nothing differs.
  var message: String
  /// The offending line; nil if that is the diagram's first, or not known.
  var place: MarbleSource?

  static var nothing: Self { Self(message: "") }

  var isEmpty: Bool { message.isEmpty }
}

extension MarbleComparison {
  /// The comparison with the received events as a diagram that can be pasted into the test; empty if both are equal.
  ///
  /// - Parameters:
  ///   - parsed: The expectation, to find the offending line.
  ///   - subscribed: The time of the subscription.
  ///   - goesOn: Describes the work that is still running, if events came after the end of the diagram.
  func report(
    of parsed: ParsedMarbleDiagram, from subscribed: Int64 = 0, goesOn: () -> String? = { nil }
  ) -> MarbleFailureText {
    guard !isMatch else { return .nothing }
    let text = ComparisonText(self)
    // `received` is the diagram to paste.
    let message = text.description + hint(subscribed, goesOn) + "\n\n" + text.received
    return MarbleFailureText(message: message.framed, place: parsed.place(ofMoment: firstDifferentMoment))
  }

  /// The remedy for events after the end of the diagram.
  private func hint(_ subscribed: Int64, _ goesOn: () -> String?) -> String {
    let isLate = differences.contains { difference in
      if case .extra(let right) = difference { actual[right].nanoseconds >= end } else { false }
    }
    guard isLate, expected.last?.notation.isEnd != true else { return "" }
    return
      "\nThe diagram ends at \(MarbleDuration.spoken(end)). \(goesOn() ?? "")Write what follows, or end the observation "
      + "with subscription: \(SubscriptionDiagram.remedy(from: subscribed, until: end, frame: frame))."
  }

  /// The moment of the first difference in order of time; the previous one if nothing was expected.
  private var firstDifferentMoment: Int? {
    guard let first = differences.first else { return nil }
    switch first {
    case .different(let left, _), .missing(let left), .moved(let left, _): return expected[left].moment
    case .extra(let right):
      let time = actual[right].nanoseconds
      return expectedMoments.lastIndex { $0.nanoseconds <= time } ?? (expectedMoments.isEmpty ? nil : 0)
    }
  }
}

extension SubscriptionDiagram {
  /// The subscription diagram of an observation that ends at a time, as source code.
  static func remedy(from begin: Int64 = 0, until end: Int64, frame: Int64) -> String {
    let last = max(end, begin.addingSaturated(frame))
    let diagram = SubscriptionDiagram(subscribed: begin, unsubscribed: last, frame: frame)
    return ((try? MarblePrinter().print(diagram)).map(ShownValue.literal)) ?? "\"^---!\""
  }
}

extension ParsedMarbleDiagram {
  /// The line of a moment in a diagram of several lines, as far as the source file allows.
  func place(ofMoment index: Int?) -> MarbleSource? {
    guard let index, places.indices.contains(index), let offset = places[index].first?.lowerBound else {
      return nil
    }
    let rows = text.string.prefix(offset).count { $0.isNewline }
    guard rows > 0, case (var place, true)? = text.located else { return nil }
    place.line += rows
    return place
  }
}

extension String {
  /// The text on lines of its own, indented, so that a prefix of the test runner does not shift the rows.
  var framed: String {
    "\n"
      + split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)".trimmingEnd() }.joined(separator: "\n")
  }
}
