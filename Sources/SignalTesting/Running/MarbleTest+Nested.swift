import SignalPicture
public import Signals
import Synchronization

extension MarbleTest {
  /// Subscribes to a signal of signals, and to each inner signal on arrival, and expects the events of the diagrams.
  ///
  /// ```swift
  /// @Test func opensAWindowForEachLetter() {
  ///   marbles { m in
  ///     let letters = m.hot("-a---b---|")
  ///     let windows = letters.signal.map { [scheduler = m.scheduler] letter in
  ///       Signal.interval(every: .milliseconds(1), on: scheduler).prefix(2).map { "\(letter)\($0)" }
  ///     }
  ///     m.expectNested(
  ///       windows, "-x---y---|", signals: ["x": "-p(q|)", "y": "-r(s|)"],
  ///       values: ["p": "a0", "q": "a1", "r": "b0", "s": "b1"])
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - signal: The signal under test.
  ///   - diagram: The expected events; its keys are signals.
  ///   - signals: The diagram of each key's signal, in time since the arrival of the signal.
  ///   - values: The values of the keys of those diagrams; each has to be used in one of them.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them; each has to be used in one of the diagrams.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  public func expectNested<Value: Sendable & Equatable>(
    _ signal: Signal<Signal<Value>>, _ diagram: String, signals: [String: String], values: [String: Value],
    error: (any Error)? = nil, errors: [String: any Error] = [:], subscription: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    observeNested(
      signal, MarbleText(diagram, source: source), signals.mapValues { MarbleText($0, source: source) },
      MarbleValues(values, errors: errors.adding(error)),
      subscription: subscription.map { MarbleText($0, source: source) }, isStrict: true)
  }

  /// Subscribes to a signal of signals, and to each inner signal on arrival; the keys of their diagrams are the values
  /// themselves.
  ///
  /// - Parameters:
  ///   - signal: The signal under test.
  ///   - diagram: The expected events; its keys are signals.
  ///   - signals: The diagram of each key's signal, in time since the arrival of the signal.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them; each has to be used in one of the diagrams.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  public func expectNested<Value: Sendable & Equatable & LosslessStringConvertible>(
    _ signal: Signal<Signal<Value>>, _ diagram: String, signals: [String: String], error: (any Error)? = nil,
    errors: [String: any Error] = [:], subscription: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    observeNested(
      signal, MarbleText(diagram, source: source), signals.mapValues { MarbleText($0, source: source) },
      .literal(errors: errors.adding(error)), subscription: subscription.map { MarbleText($0, source: source) },
      isStrict: true)
  }

  /// Subscribes to a signal of groups, and to each group on arrival, and expects the events of the diagrams.
  ///
  /// ```swift
  /// @Test func groupsByParity() {
  ///   marbles { m in
  ///     let numbers = m.hot("-1-2-3-|", of: Int.self)
  ///     m.expectNested(
  ///       numbers.signal.grouped { $0 % 2 }, "-o-e---|", signals: ["o": "1---3-|", "e": "2---|"])
  ///   }
  /// }
  /// ```
  ///
  /// The same as `.map(\.signal)` before the other overloads. A group's key is not compared.
  ///
  /// - Parameters:
  ///   - groups: The signal under test.
  ///   - diagram: The expected events; its keys are groups.
  ///   - signals: The diagram of each key's group, in time since the arrival of the group.
  ///   - values: The values of the keys of those diagrams; each has to be used in one of them.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them; each has to be used in one of the diagrams.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  public func expectNested<Key, Value: Sendable & Equatable>(
    _ groups: Signal<SignalGroup<Key, Value>>, _ diagram: String, signals: [String: String], values: [String: Value],
    error: (any Error)? = nil, errors: [String: any Error] = [:], subscription: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    expectNested(
      groups.map(\.signal), diagram, signals: signals, values: values, error: error, errors: errors,
      subscription: subscription, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Subscribes to a signal of groups, and to each group on arrival; the keys of their diagrams are the values
  /// themselves.
  ///
  /// - Parameters:
  ///   - groups: The signal under test.
  ///   - diagram: The expected events; its keys are groups.
  ///   - signals: The diagram of each key's group, in time since the arrival of the group.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them; each has to be used in one of the diagrams.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  public func expectNested<Key, Value: Sendable & Equatable & LosslessStringConvertible>(
    _ groups: Signal<SignalGroup<Key, Value>>, _ diagram: String, signals: [String: String], error: (any Error)? = nil,
    errors: [String: any Error] = [:], subscription: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    expectNested(
      groups.map(\.signal), diagram, signals: signals, error: error, errors: errors, subscription: subscription,
      fileID: fileID, filePath: filePath,
      line: line, column: column)
  }

  func observeNested<Value: Sendable & Equatable>(
    _ signal: Signal<Signal<Value>>, _ text: MarbleText, _ signals: [String: MarbleText], _ values: MarbleValues<Value>,
    subscription: MarbleText?, isStrict: Bool = false
  ) {
    let book = ArrivalBook(values, dialect: dialect, by: ==)
    var inner: [String: NestedComparer<Value>.Inner] = [:]
    for (key, text) in signals.sorted(by: { $0.key < $1.key }) {
      let text = text.passed(as: .value(key: key, label: "signals"))
      let parsed = declare(at: text) {
        let parsed = try ParsedMarbleDiagram(text, role: .expectation, dialect: dialect, frame: frame)
        return NestedComparer<Value>.Inner(parsed: parsed, expectation: book.add(try values.expectation(parsed)))
      }
      guard let parsed else { return }
      inner[key] = parsed
    }
    let comparer = NestedComparer(
      diagrams: inner, values: values, book: book, ignoresSubscribePhase: dialect == .rxjs)
    let arrive = ThreadBound<(Value, Int), ArrivalNote> { book.note($0.0, at: $0.1, isOfAny: true) }
    add(BindingCheck(closure: arrive), until: 0)
    let recorders = Recorders<Value>()
    add(recorders, until: 0)
    let recorded = signal.map { [scheduler] inner in
      let recorder = EventRecorder<Value>(
        scheduler: scheduler, start: scheduler.nanoseconds,
        arrive: { value, number in (try? arrive.call((value, number))) ?? ArrivalNote() })
      recorders.add(recorder)
      recorder.subscribe(to: inner)
      return Nested.received(recorder)
    }
    let outer = MarbleValues(
      Dictionary(uniqueKeysWithValues: signals.keys.map { ($0, Nested<Value>.expected($0)) }), errors: values.errors)
    let compare = { [dialect] (parsed: ParsedMarbleDiagram, events: [TimedEvent<Nested<Value>>]) in
      MarbleComparison(
        expected: try outer.expectation(parsed), diagram: parsed.diagram, actual: events,
        ignoresSubscribePhase: dialect == .rxjs, name: comparer.name, isEqual: comparer.areEqual)
    }
    observe(recorded, text.passed(as: .unlabelled(1)), subscription: subscription) { [dialect, work] parsed, recorder in
      var comparison = try compare(parsed, recorder.events)
      comparison.words = comparer.words(keys: Set(signals.keys), dialect: dialect)
      return comparison.report(of: parsed, from: recorder.subscribed) { work.goesOn }
    } picture: { parsed, recorder in
      comparer.lines(of: try compare(parsed, recorder.events))
    } check: { parsed in
      _ = try outer.expectation(parsed)
      guard isStrict else { return }
      try MarbleValues(outer.values).checkAllKeysAreUsed(in: [parsed])
      let diagrams = inner.values.map(\.parsed.diagram)
      // The keys of the outer diagram are signals. Its error may be one of the map.
      let unused = Set(values.unusedKeys(in: diagrams)).subtracting(
        parsed.diagram.errorNames.map { "#" + $0 })
      guard unused.isEmpty else {
        let keys = unused.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw MarbleRunError(
          "No diagram of the signals uses \(keys). Remove it from the map, or use it in a diagram.")
      }
    }
  }
}

extension MarbleDiagram {
  /// The names of the errors with which it ends; the empty one for a plain `#`.
  fileprivate var errorNames: [String] {
    moments.flatMap(\.events).compactMap { if case .failed(let name) = $0 { name ?? "" } else { nil } }
  }
}

/// A signal as a value: its expected diagram, or its recorded events.
private enum Nested<Value: Sendable>: Sendable, CustomStringConvertible {
  case expected(String)
  case received(EventRecorder<Value>)

  var description: String {
    switch self {
    case .expected(let key): key
    case .received: "other signal"
    }
  }
}

private struct NestedComparer<Value: Sendable & Equatable> {
  /// The diagram of one signal.
  struct Inner {
    var parsed: ParsedMarbleDiagram
    var expectation: [ExpectedMoment<Arrival<Value>>]
  }

  let diagrams: [String: Inner]
  let values: MarbleValues<Value>
  let book: ArrivalBook<Value>
  let ignoresSubscribePhase: Bool

  private func comparison(_ key: String, _ recorder: EventRecorder<Value>) -> MarbleComparison<Arrival<Value>>? {
    guard let inner = diagrams[key] else { return nil }
    var comparison = MarbleComparison(
      expected: inner.expectation, diagram: inner.parsed.diagram, actual: recorder.arrivals,
      ignoresSubscribePhase: ignoresSubscribePhase, name: book.name, isEqual: book.isEqual)
    comparison.words = book.arrivalWords
    return comparison
  }

  func areEqual(_ left: Nested<Value>, _ right: Nested<Value>) -> Bool {
    switch (left, right) {
    case (.expected(let key), .received(let recorder)): comparison(key, recorder)?.isMatch ?? false
    case (.expected(let left), .expected(let right)): left == right
    default: false
    }
  }

  func name(_ value: Nested<Value>) -> MarbleValue {
    switch value {
    case .expected(let key): .key(key)
    case .received(let recorder):
      diagrams.keys.sorted().first { comparison($0, recorder)?.isMatch ?? false }.map(MarbleValue.key)
        ?? .text("other signal")
    }
  }

  /// Both sides as lines of a drawing, and below each side the first signals that differ.
  func lines(of comparison: MarbleComparison<Nested<Value>>) -> ComparedLines {
    var lines = comparison.compared
    var count = 0
    for case .different(let left, let right) in comparison.differences where count < 3 {
      guard case .value(.expected(let key)) = comparison.expected[left].event,
        case .value(.received(let recorder)) = comparison.actual[right].event,
        let inner = self.comparison(key, recorder)?.compared
      else { continue }
      count += 1
      let label = name(.received(recorder)).string
      func moved(_ line: MarblePicture.Line, _ name: String, opener: String, by time: Int64) -> MarblePicture.Line {
        var line = line
        line.name = name
        line.opener = opener
        line.begin = time
        line.moments = line.moments.map { moment in
          var moment = moment
          moment.nanoseconds = moment.nanoseconds.addingSaturated(time)
          return moment
        }
        return line
      }
      lines.inner.expected.append(
        moved(inner.expected, "expected \(key)", opener: key, by: comparison.expected[left].slot.nanoseconds))
      lines.inner.received.append(
        moved(inner.received, "received \(label)", opener: label, by: comparison.actual[right].nanoseconds))
    }
    return lines
  }

  /// Formats signals for the outer comparison: by their diagrams, and by their rows if two differ.
  func words(keys: Set<String>, dialect: MarbleDialect) -> ValueWords<Nested<Value>> {
    var words = ValueWords<Nested<Value>>()
    words.keys = keys
    words.dialect = dialect
    words.argument = "signals"
    words.isWritable = { _, name in if case .key = name { true } else { false } }
    words.definition = { value in diagram(of: value) }
    words.meaning = { value, key in "a signal " + diagram(of: value) }
    words.difference = { expected, actual in
      guard case .expected(let key) = expected, case .received(let recorder) = actual,
        let comparison = comparison(key, recorder)
      else { return [] }
      let rows = comparison.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return ["the signal \(key), in time since it came:", ""] + rows
    }
    return words
  }

  /// The expected or recorded events of a signal, as a literal.
  private func diagram(of value: Nested<Value>) -> String {
    switch value {
    case .expected(let key): return ShownValue.literal(diagrams[key]?.parsed.text.string ?? "")
    case .received(let recorder):
      guard let frame = diagrams.values.first?.parsed.diagram.frame else { return "\"-\"" }
      // A diagram without expected events takes the names of values, and its end is that of the received events.
      let nothing = MarbleDiagram(moments: [], frame: frame)
      var comparison = MarbleComparison(
        expected: [], diagram: nothing, actual: recorder.arrivals, ignoresSubscribePhase: ignoresSubscribePhase,
        name: book.name, isEqual: book.isEqual)
      comparison.words = book.arrivalWords
      return ComparisonText(comparison).receivedLiteral
    }
  }
}

/// The subscriptions to inner signals.
private final class Recorders<Value: Sendable>: MarbleCheck, Sendable {
  private let recorders = Mutex<[EventRecorder<Value>]>([])

  func add(_ recorder: EventRecorder<Value>) { recorders.withLock { $0.append(recorder) } }

  func verify(_ failures: MarbleFailures) {}

  func dispose() {
    for recorder in recorders.withLock({ $0 }) { recorder.dispose() }
  }
}
