import SignalMarbles

/// The expectation of a diagram, and its comparison with the received events. The test retains it; it does not retain the
/// test.
final class ValueExpectation<Value: Sendable> {
  private let values: MarbleValues<Value>
  private let update: DiagramUpdate
  private let dialect: MarbleDialect
  private let frame: Int64
  private let tolerance: TimeTolerance
  private let areEqual: (Value, Value) -> Bool
  private let book: ArrivalBook<Value>
  /// The diagram's moments, read once.
  private var moments: [ExpectedMoment<Arrival<Value>>] = []
  /// A comparison with a difference, made once for the message and the picture.
  private var differing: MarbleComparison<Arrival<Value>>?

  init(
    _ values: MarbleValues<Value>, update: DiagramUpdate, dialect: MarbleDialect, frame: Int64,
    tolerance: TimeTolerance, by areEqual: @escaping (Value, Value) -> Bool
  ) {
    self.values = values
    self.update = update
    self.dialect = dialect
    self.frame = frame
    self.tolerance = tolerance
    self.areEqual = areEqual
    book = ArrivalBook(values, dialect: dialect, comparesEverywhere: !(Value.self is any StandIn.Type), by: areEqual)
  }

  /// Reads the diagram.
  ///
  /// - Parameter isStrict: Whether each key of `values:` has to be used.
  func read(_ parsed: ParsedMarbleDiagram, isStrict: Bool) throws {
    moments = book.add(try values.expectation(parsed))
    if isStrict { try values.checkAllKeysAreUsed(in: [parsed]) }
  }

  /// Notes a value when it arrives.
  func note(_ value: Value, at number: Int) -> ArrivalNote { book.note(value, at: number) }

  /// Compares what was received with the diagram.
  func comparison(
    _ parsed: ParsedMarbleDiagram, _ recorder: EventRecorder<Value>
  ) -> MarbleComparison<Arrival<Value>> {
    if let differing { return differing }
    let adjusted = tolerance.adjust(
      recorder.arrivals, to: moments, ignoresSubscribePhase: dialect == .rxjs, EventMatcher(isEqual: book.isEqual))
    let comparison = MarbleComparison(
      expected: moments, diagram: parsed.diagram, actual: adjusted, ignoresSubscribePhase: dialect == .rxjs,
      name: book.name, isEqual: book.isEqual)
    if !comparison.isMatch { differing = comparison }
    return comparison
  }

  /// The message on what differs; empty where nothing does.
  ///
  /// - Parameter goesOn: Describes the remaining work, if events came after the end of the diagram.
  func failure(
    _ parsed: ParsedMarbleDiagram, _ recorder: EventRecorder<Value>, goesOn: () -> String?
  ) -> MarbleFailureText {
    var comparison = comparison(parsed, recorder)
    if comparison.isMatch { return .nothing }
    // Only the message needs them: the drawing has words of its own.
    comparison.words = book.arrivalWords
    var text = comparison.report(of: parsed, from: recorder.subscribed, goesOn: goesOn)
    if !tolerance.isExact || DiagramUpdate.isOn {
      let recorded = recorded(recorder.events, until: parsed.diagram.end)
      text.message += tolerance.note(recorded) + update.apply(recorded)
    }
    return text
  }

  /// The message of an expectation without a diagram: what was received.
  func recordedWords(_ events: [TimedEvent<Value>], until end: Int64) -> String {
    let recorded = recorded(events, until: end)
    return "An expectation without a diagram.\n" + "received: \(recorded.words)".framed + update.apply(recorded)
  }

  private func recorded(_ events: [TimedEvent<Value>], until end: Int64) -> RecordedDiagram {
    RecordedDiagram(events, end: end, frame: frame, dialect: dialect, values: values, by: areEqual)
  }
}
