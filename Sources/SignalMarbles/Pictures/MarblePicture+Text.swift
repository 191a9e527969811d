public import SignalPicture

extension MarblePicture {
  /// Parses a drawing from diagrams in lines of text, as in this library's documentation.
  ///
  /// ```swift
  /// import SignalTesting
  ///
  /// let picture = try MarblePicture(
  ///   reading: """
  ///     typing   -a-b-----c-|
  ///              typing.debounce(for: .milliseconds(3), on: scheduler)
  ///     result   ------b----(c|)
  ///     """)
  /// print(picture.svg())
  /// ```
  ///
  /// Each line of the text is one of these:
  ///
  /// - a name, at least two spaces, and a diagram. Above the first call it is an input, which may have a `^`; below it
  ///   is a result.
  /// - a call, indented by spaces: the box between the lines above it and those below it.
  /// - `NAME subscribed` and a subscription diagram: the time of the subscription to the input with that name.
  /// - `NAME subscribes` and a subscription diagram: the time for which the line below it is subscribed.
  /// - `window KEY`, `group KEY` or `signal KEY` and a diagram: the signal that the key in the result above stands for,
  ///   with times relative to the key.
  /// - `KEY = MEANING`, or several separated by commas: the meanings of keys. Short ones are written into the marbles.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - title: A short description of the drawing for screen readers; the first call by default.
  ///   - frame: The duration of a `-`, in whole nanoseconds.
  /// - Throws: ``MarbleSyntaxError`` at a line that is none of these, or that contains a diagram with a syntax error.
  public init(
    reading text: String, title: String? = nil, frame: Duration = MarbleDiagram.defaultFrame
  ) throws(MarbleSyntaxError) {
    var reader = DiagramReader(frame: frame)
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
      try reader.read(String(line))
    }
    self = reader.picture(title: title)
  }
}

/// Parses the lines of a text one after the other.
private struct DiagramReader {
  let frame: Duration
  private var rows: [MarblePicture.Row] = []
  private var hasCall = false
  /// The subscription of the line that follows.
  private var span: SubscriptionDiagram?
  private var keys: [(key: String, meaning: String)] = []
  private var end: Int64 = 0

  init(frame: Duration) { self.frame = frame }

  mutating func read(_ line: String) throws(MarbleSyntaxError) {
    if line.wholeMatch(of: /\S = .*/) != nil {
      for entry in line.matches(of: /(\S) = (.*?)(?:$|, (?=\S = ))/) {
        keys.append((String(entry.1), String(entry.2)))
      }
    } else if line.hasPrefix(" ") {
      hasCall = true
      rows.append(.box(line.trimmingPrefix { $0 == " " }.description))
    } else if let match = line.wholeMatch(of: /(?<name>\S+(?: \S+)*) {2,}(?<diagram>\S.*)/) {
      try read(String(match.name), MarbleText(String(match.diagram)))
    } else {
      throw MarbleSyntaxError(
        "neither a diagram nor a call",
        advice: "Write a name, two spaces and a diagram; or a call with a space before it.",
        place: 0..<line.count, text: MarbleText(line))
    }
  }

  private mutating func read(_ name: String, _ text: MarbleText) throws(MarbleSyntaxError) {
    if name.hasSuffix(" subscribed") {
      rows.append(.subscription(MarblePicture.Span(name, try subscription(text))))
    } else if name.hasSuffix(" subscribes") {
      span = try subscription(text)
    } else if let opener = Self.opener(of: name), let begin = begin(of: opener) {
      let diagram = try diagram(text, role: .expectation)
      rows.append(.line(MarblePicture.Line(name, diagram, offset: begin, opener: opener)))
    } else {
      let diagram = try diagram(text, role: hasCall ? .expectation : text.string.contains("^") ? .hot : .cold)
      var line = MarblePicture.Line(name, diagram, left: span?.unsubscribed)
      line.begin = span?.subscribed ?? 0
      rows.append(.line(line))
      if diagram.events.last?.event.isEnd != true, span?.unsubscribed == nil { end = max(end, diagram.end) }
      span = nil
    }
  }

  private func diagram(_ text: MarbleText, role: MarbleRole) throws(MarbleSyntaxError) -> MarbleDiagram {
    try ParsedMarbleDiagram(text, role: role, frame: frame).diagram
  }

  private func subscription(_ text: MarbleText) throws(MarbleSyntaxError) -> SubscriptionDiagram {
    try SubscriptionDiagram(text.string, frame: frame)
  }

  /// The key of the signal that a line shows.
  private static func opener(of name: String) -> String? {
    guard let match = name.wholeMatch(of: /(?:window|group|signal) (?<key>\S+)/) else { return nil }
    return String(match.key)
  }

  /// The time of a key's value in the result above.
  private func begin(of key: String) -> Int64? {
    for case .line(let line) in rows.reversed() where line.opener == nil {
      return line.moments.first { $0.events.contains(.value(key)) }?.nanoseconds
    }
    return nil
  }

  func picture(title: String?) -> MarblePicture {
    let calls = rows.compactMap { row -> String? in
      if case .box(let call) = row { return call }
      return nil
    }
    var picture = MarblePicture(
      title: title ?? calls.first ?? "", rows: rows, frame: frame.exactNanoseconds ?? 1, end: end > 0 ? end : nil)
    if keys.allSatisfy({ $0.meaning.count <= MarblePicture.longestMeaning && $0.key != "#" }) {
      picture.relabel(Dictionary(keys.map { ($0.key, $0.meaning) }) { first, _ in first })
    } else {
      picture.keys += keys.map { MarblePicture.Key($0.key == "#" ? .failed(nil) : .value($0.key), $0.meaning) }
    }
    return picture
  }
}

extension MarblePicture {
  /// The maximum length of a meaning inside a marble; longer ones are written below the lines.
  static let longestMeaning = 9

  /// Replaces texts in the marbles.
  ///
  /// - Parameter texts: The replacements by label.
  mutating func relabel(_ texts: [String: String]) {
    guard !texts.isEmpty else { return }
    for index in rows.indices {
      guard case .line(var line) = rows[index] else { continue }
      for moment in line.moments.indices {
        line.moments[moment].events = line.moments[moment].events.map { event in
          guard case .value(let label) = event.kind, let text = texts[label] else { return event }
          return Event(.value(text), difference: event.difference)
        }
      }
      line.opener = line.opener.map { texts[$0] ?? $0 }
      rows[index] = .line(line)
    }
  }
}
