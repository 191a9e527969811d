import SignalPicture

extension MarbleComparison {
  /// The expected and the received events, as lines of a drawing with the differences marked; and the messages.
  var compared: ComparedLines {
    var marks: (expected: [Int: MarblePicture.Event.Difference], actual: [Int: MarblePicture.Event.Difference]) = (
      [:], [:]
    )
    for difference in differences {
      switch difference {
      case .different(let left, let right):
        marks.expected[left] = .different
        marks.actual[right] = .different
      case .moved(let left, let right):
        marks.expected[left] = .moved
        marks.actual[right] = .moved
      case .missing(let left): marks.expected[left] = .missing
      case .extra(let right): marks.actual[right] = .extra
      }
    }
    let drawn = drawn
    let expectedMoments = drawn.expected.map { index in
      let event = expected[index]
      return MarblePicture.Moment(
        nanoseconds: event.slot.nanoseconds, isInsideSubscribe: event.slot.isInsideSubscribe,
        events: [MarblePicture.Event(kind(event), difference: marks.expected[index])])
    }
    let actualMoments = drawn.actual.map { index in
      let event = actual[index]
      return MarblePicture.Moment(
        nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe,
        events: [MarblePicture.Event(kind(event.event), difference: marks.actual[index])])
    }
    return ComparedLines(
      expected: MarblePicture.Line("expected", moments: expectedMoments, role: .expected),
      received: MarblePicture.Line("received", moments: actualMoments, role: .received), keys: keys,
      notes: notes, frame: frame, end: end, excerpt: drawn.excerpt)
  }

  /// The events to draw: all, or of thousands those near the first difference, as more of them are not readable in a
  /// drawing.
  private var drawn: (expected: Range<Int>, actual: Range<Int>, excerpt: MarblePicture.Excerpt?) {
    guard max(expected.count, actual.count) > MarblePicture.Excerpt.largestCount, let first = differences.first else {
      return (expected.indices, actual.indices, nil)
    }
    let time: Int64 =
      switch first {
      case .different(let left, _), .missing(let left): expected[left].slot.nanoseconds
      case .moved(let left, let right): min(expected[left].slot.nanoseconds, actual[right].nanoseconds)
      case .extra(let right): actual[right].nanoseconds
      }
    let times = MarblePicture.Excerpt.times(
      around: time,
      of: [(expected.count, { expected[$0].slot.nanoseconds }), (actual.count, { actual[$0].nanoseconds })])
    let left = MarblePicture.Excerpt.indices(around: time, in: times, of: expected.count) {
      expected[$0].slot.nanoseconds
    }
    let right = MarblePicture.Excerpt.indices(around: time, in: times, of: actual.count) { actual[$0].nanoseconds }
    return (
      left, right,
      MarblePicture.Excerpt(
        times: times, eventsBefore: left.lowerBound + right.lowerBound,
        eventsAfter: expected.count - left.upperBound + actual.count - right.upperBound)
    )
  }

  private func kind(_ event: Expected) -> MarblePicture.Event.Kind {
    if case .failed(let error?) = event.event { return .failed(Self.words(error)) }
    return MarblePicture.Event(event.notation).kind
  }

  private func kind(_ event: ReceivedEvent<Value>) -> MarblePicture.Event.Kind {
    switch event {
    case .value(let value): .value(Self.withoutAddresses(name(value).string))
    case .failed(let error): .failed(Self.words(error))
    case .finished: .finished
    }
  }

  /// The text in the marble of a value without a key.
  static func label(_ value: Value) -> String { withoutAddresses("\(value)") }

  private static func words<Subject>(_ value: Subject) -> String { withoutAddresses("\(value)") }

  /// A description in which a type inside a function has no address, which differs in each run.
  private static func withoutAddresses(_ text: String) -> String {
    text.utf8.count > 20 && text.contains("(unknown context at $")
      ? text.replacing(/\w+\.\(unknown context at \$[0-9a-f]+\)\./, with: "") : text
  }

  /// The definitions of the keys in the drawing.
  private var keys: [MarblePicture.Key] {
    var meanings: [String: String] = [:]
    for event in expected.prefix(1_000) {
      if case .value(let value) = event.event, case .value(.key(let key)) = event.notation, meanings[key] == nil {
        meanings[key] = Self.words(value)
      }
    }
    return meanings.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
      .map { MarblePicture.Key(.value($0.key), $0.value) }
  }

  private var notes: [String] {
    let limit = 8
    let notes = differences.prefix(limit).map(note)
    let rest = differences.count - notes.count
    return rest > 0 ? notes + ["… and \(rest) more"] : notes
  }

  private func note(_ difference: Difference) -> String {
    func time(_ slot: MarbleTable.Slot) -> String {
      slot.isInsideSubscribe ? "inside subscribe" : "at \(MarbleTime.words(slot.nanoseconds))"
    }
    func slot(_ event: TimedEvent<Value>) -> MarbleTable.Slot {
      MarbleTable.Slot(nanoseconds: event.nanoseconds, isInsideSubscribe: event.isInsideSubscribe)
    }
    switch difference {
    case .different(let left, let right):
      return
        "\(time(expected[left].slot)): expected \(words(kind(expected[left]))), received \(words(kind(actual[right].event)))"
    case .moved(let left, let right):
      return
        "\(words(kind(actual[right].event))) came \(time(slot(actual[right]))), expected \(time(expected[left].slot))"
    case .missing(let left): return "\(words(kind(expected[left]))) \(time(expected[left].slot)) is missing"
    case .extra(let right):
      return "\(words(kind(actual[right].event))) \(time(slot(actual[right]))) was not expected"
    }
  }

  private func words(_ kind: MarblePicture.Event.Kind) -> String {
    switch kind {
    case .value(let label):
      label.isEmpty || label.first == " " || label.last == " "
        ? "'\(label.prefix(39))'" : label.count > 40 ? "\(label.prefix(39))…" : label
    case .anyValue: "a value"
    case .failed(let name): name.map { "the failure \($0.prefix(40))" } ?? "a failure"
    case .finished: "the end"
    }
  }
}

/// Both sides of a comparison, as parts of a drawing.
struct ComparedLines {
  var expected: MarblePicture.Line
  var received: MarblePicture.Line
  var keys: [MarblePicture.Key] = []
  var notes: [String] = []
  var frame: Int64
  var end: Int64
  /// The part that is drawn, if that is not everything.
  var excerpt: MarblePicture.Excerpt?
  /// Signals that are values and differ, each below the side that it belongs to.
  var inner: (expected: [MarblePicture.Line], received: [MarblePicture.Line]) = ([], [])

  /// The drawing, with the rows above the expectation.
  func picture(title: String, above rows: [MarblePicture.Row], from begin: Int64, to left: Int64?) -> MarblePicture {
    var (expected, received) = (expected, received)
    expected.begin = begin
    received.begin = begin
    expected.left = left
    received.left = left
    let isOpen = [expected, received].contains { $0.moments.last?.events.last?.kind != .finished }
    var picture = MarblePicture(
      title: title,
      rows: rows + ([expected] + inner.expected + [received] + inner.received).map(MarblePicture.Row.line), keys: keys,
      notes: notes,
      frame: frame, end: isOpen && left == nil ? end : nil)
    picture.excerpt = excerpt
    return picture
  }
}

extension SubscriptionComparison {
  /// The expected and the actual subscriptions, as bars of a drawing.
  var rows: [MarblePicture.Row] {
    func spans(
      _ name: String, _ diagrams: [SubscriptionDiagram], beside others: [SubscriptionDiagram]
    ) -> [MarblePicture.Row] {
      diagrams.enumerated().map { index, diagram in
        var span = MarblePicture.Span(diagrams.count > 1 ? "\(name) \(index + 1)" : name, diagram)
        span.isDifferent = index >= others.count || !diagram.matches(others[index])
        return .subscription(span)
      }
    }
    return spans("expected", expected, beside: actual) + spans("received", actual, beside: expected)
  }
}
