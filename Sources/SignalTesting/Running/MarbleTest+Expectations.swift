import SignalMarbles
import SignalPicture
public import Signals

extension MarbleTest {
  /// Subscribes to a signal and expects the events of a diagram.
  ///
  /// ```swift
  /// @Test func pairsUp() {
  ///   struct Pair: Equatable { var letter: String, number: String }
  ///   marbles { m in
  ///     let letters = m.hot("-a-b-|")
  ///     let numbers = m.hot("--1-2|")
  ///     m.expect(
  ///       letters.signal.zip(numbers.signal).map { Pair(letter: $0, number: $1) },
  ///       "--p-q|", values: ["p": Pair(letter: "a", number: "1"), "q": Pair(letter: "b", number: "2")])
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - signal: The signal under test.
  ///   - diagram: The expected events, in time since the start of the test. `?` is any value, `(a & b)` any order;
  ///     `{ }` contains values inside subscribe, if that is at the start of the test.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: The maximum difference between the actual and the expected time of an event.
  public func expect<Value: Sendable & Equatable>(
    _ signal: Signal<Value>, _ diagram: String, values: [String: Value], error: (any Error)? = nil,
    errors: [String: any Error] = [:], subscription: String? = nil, tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    expect(
      signal, diagram, values: values, error: error, errors: errors, subscription: subscription, tolerance: tolerance,
      fileID: fileID, filePath: filePath, line: line, column: column, by: ==)
  }

  /// Subscribes to a signal and expects the events of a diagram whose keys are the values themselves: `1` is the number
  /// 1.
  ///
  /// ```swift
  /// @Test func leavesEarly() {
  ///   marbles { m in
  ///     let source = m.cold("-a-b-c-|")
  ///     m.expect(source.signal, "-a-b", subscription: "^---!")
  ///     m.expectSubscriptions(of: source, "^---!")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - signal: The signal under test.
  ///   - diagram: The expected events, in time since the start of the test.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: The maximum difference between the actual and the expected time of an event.
  public func expect<Value: Sendable & Equatable & LosslessStringConvertible>(
    _ signal: Signal<Value>, _ diagram: String, error: (any Error)? = nil, errors: [String: any Error] = [:],
    subscription: String? = nil, tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    observe(
      signal, MarbleText(diagram, source: source), .literal(errors: errors.adding(error)),
      subscription: subscription.map { MarbleText($0, source: source) }, isStrict: true,
      tolerance: TimeTolerance(tolerance), by: ==)
  }

  /// Subscribes to a signal and expects the events of a diagram; a closure compares values.
  ///
  /// - Parameters:
  ///   - signal: The signal under test.
  ///   - diagram: The expected events, in time since the start of the test.
  ///   - values: The values of the diagram's keys; each has to be used.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects, or patterns of them.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: The maximum difference between the actual and the expected time of an event.
  ///   - areEqual: Whether two values are equal; for values such as tuples, which are not `Equatable`.
  public func expect<Value: Sendable>(
    _ signal: Signal<Value>, _ diagram: String, values: [String: Value], error: (any Error)? = nil,
    errors: [String: any Error] = [:], subscription: String? = nil, tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    by areEqual: @escaping (Value, Value) -> Bool
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    observe(
      signal, MarbleText(diagram, source: source), MarbleValues(values, errors: errors.adding(error)),
      subscription: subscription.map { MarbleText($0, source: source) }, isStrict: true,
      tolerance: TimeTolerance(tolerance), by: areEqual)
  }

  /// Expects the subscriptions that a source had, in order: `^--!` for each.
  ///
  /// ```swift
  /// @Test func leavesTheSourceWithTheLastValue() {
  ///   marbles { m in
  ///     let source = m.hot("-a-b-c-|")
  ///     m.expect(source.signal.prefix(2), "-a-(b|)")
  ///     m.expectSubscriptions(of: source, "^--!")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - input: The source.
  ///   - diagrams: One for each subscription, in the order in which they began: `^` is its beginning, `!` its end,
  ///     which is also required if the source itself ends. With an empty one the test fails and reports the actual
  ///     subscriptions.
  public func expectSubscriptions<Value>(
    of input: MarbleInput<Value>, _ diagrams: String...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    guard !diagrams.isEmpty else {
      return fail(
        "An expectation without a diagram. Write \"^--!\" for each subscription, or use expectNoSubscriptions(of:).",
        MarbleText("", source: source))
    }
    let texts = diagrams.enumerated().map { MarbleText($1, source: source, argument: .unlabelled($0)) }
    if let blank = texts.first(where: \.isBlank) {
      return recordSubscriptions(of: input, texts, at: blank.place ?? source)
    }
    observeSubscriptions(of: input, texts, at: source)
  }

  /// Expects that a source is never subscribed to.
  ///
  /// - Parameter input: The source. Without this, a source without a subscriber fails the test.
  public func expectNoSubscriptions<Value>(
    of input: MarbleInput<Value>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    observeSubscriptions(
      of: input, [], at: MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Adds an observer of values.
  /// - Parameter argument: The number of the diagram among the unlabelled arguments of the call.
  func observe<Value: Sendable>(
    _ signal: Signal<Value>, _ text: MarbleText, _ values: MarbleValues<Value>, subscription: MarbleText?,
    isStrict: Bool, tolerance: TimeTolerance = TimeTolerance(.zero), argument: Int = 1,
    by areEqual: @escaping (Value, Value) -> Bool
  ) {
    let text = text.passed(as: .unlabelled(argument))
    let expectation = ValueExpectation(
      values, update: DiagramUpdate(text, argument: argument), dialect: dialect, frame: frame.exactNanoseconds ?? 1,
      tolerance: tolerance, by: areEqual)
    if text.isBlank {
      return recordInstead(of: text, signal, subscription) { expectation.recordedWords($0, until: $1) }
    }
    // Values from other threads are compared at the end: the closure that compares is called on the test's own thread only.
    let arrive = ThreadBound<(Value, Int), ArrivalNote> { expectation.note($0.0, at: $0.1) }
    // A check without a result: it allows only the test's thread to call the closure, until it is disposed.
    add(BindingCheck(closure: arrive), until: 0)
    observe(
      signal, text, subscription: subscription, tolerance: tolerance,
      arrive: { value, number in (try? arrive.call((value, number))) ?? ArrivalNote() }
    ) { [work] parsed, recorder in
      expectation.failure(parsed, recorder) { work.goesOn }
    } picture: { parsed, recorder in
      expectation.comparison(parsed, recorder).compared
    } check: { parsed in
      try expectation.read(parsed, isStrict: isStrict)
    }
  }

  /// Adds an observer.
  /// - Parameters:
  ///   - arrive: Called with each value on arrival.
  ///   - compare: Describes the difference of the received events; empty if there is none.
  ///   - picture: Draws the difference, if there is one.
  ///   - check: Throws if the diagram cannot be an expectation.
  func observe<Value: Sendable>(
    _ signal: Signal<Value>, _ text: MarbleText, subscription: MarbleText?,
    tolerance: TimeTolerance = TimeTolerance(.zero), arrive: (@Sendable (Value, Int) -> ArrivalNote)? = nil,
    compare: @escaping (ParsedMarbleDiagram, EventRecorder<Value>) throws -> MarbleFailureText,
    picture: ((ParsedMarbleDiagram, EventRecorder<Value>) throws -> ComparedLines)? = nil,
    check: (ParsedMarbleDiagram) throws -> Void
  ) {
    let parsed = declare(at: text) {
      if text.isBlank { throw MarbleRunError("An expectation without a diagram. Write - to expect nothing.") }
      if tolerance.isNegative {
        throw MarbleRunError("The tolerance is negative. Pass zero or a positive duration.")
      }
      let parsed = try ParsedMarbleDiagram(text, role: .expectation, dialect: dialect, frame: frame)
      try check(parsed)
      return parsed
    }
    guard let parsed, let span = span(subscription, of: text) else { return }
    let recorder = EventRecorder<Value>(scheduler: scheduler, subscribed: span.subscribed ?? 0, arrive: arrive)
    observe(
      signal, recorder, span, at: text.place,
      until: tolerance.latest(max(parsed.diagram.end, span.unsubscribed ?? span.end)),
      difference: { try compare(parsed, recorder) },
      picture: { [weak self] in
        guard let lines = try? picture?(parsed, recorder) else { return nil }
        return self?.picture(of: lines, text: text, from: span.subscribed ?? 0, to: span.unsubscribed)
      })
  }

  /// Adds an observer whose diagram has yet to be written: it records the events, and fails.
  func recordInstead<Value: Sendable>(
    of text: MarbleText, _ signal: Signal<Value>, _ subscription: MarbleText?,
    describe: @escaping ([TimedEvent<Value>], _ end: Int64) -> String
  ) {
    guard let span = span(subscription, of: text) else { return }
    let recorder = EventRecorder<Value>(scheduler: scheduler, limit: 200)
    let end = span.unsubscribed ?? 0
    // Copied, because the test's own closures must not retain the test.
    let frame = frame.exactNanoseconds ?? 1
    observe(
      signal, recorder, span, at: text.place, until: end, isRecording: true,
      difference: {
        if recorder.isFull {
          // A part of the events would be a diagram that fails as soon as it is pasted.
          let last = recorder.events.last?.nanoseconds ?? 0
          let begin = span.subscribed ?? 0
          let remedy = SubscriptionDiagram.remedy(
            from: begin, until: begin.addingSaturated(10 * frame), frame: frame)
          let advice =
            span.unsubscribed == nil
            ? "Limit the recording, such as with subscription: \(remedy)."
            : "Let the subscription end earlier, or the signal send less often."
          return MarbleFailureText(
            message: "An expectation without a diagram, of a signal that has no end: 200 events came until "
              + "\(MarbleDuration.spoken(last)). \(advice)")
        }
        return MarbleFailureText(message: describe(recorder.events, end))
      },
      picture: { [weak self] in self?.picture(of: recorder.events, text: text, span: span) })
  }

  /// The time of the subscription: that of a subscription diagram, or the start.
  private func span(_ subscription: MarbleText?, of text: MarbleText) -> SubscriptionDiagram? {
    let subscription = subscription?.passed(as: .labelled("subscription"))
    return declare(at: subscription ?? text) {
      try subscription.map { try SubscriptionDiagram($0, dialect: dialect, frame: frame) }
        ?? SubscriptionDiagram(subscribed: 0)
    }
  }

  /// Adds an observer.
  /// - Parameters:
  ///   - difference: The message at the end of the run; empty if there is none.
  ///   - picture: Draws it.
  func observe<Value: Sendable>(
    _ signal: Signal<Value>, _ recorder: EventRecorder<Value>, _ span: SubscriptionDiagram,
    at place: @autoclosure @escaping () -> MarbleSource?,
    until end: Int64, isRecording: Bool = false, difference: @escaping () throws -> MarbleFailureText,
    picture: @escaping () -> MarblePicture? = { nil }
  ) {
    add(
      Observation(
        signal: signal, place: place, recorder: recorder, subscription: span,
        isRecording: isRecording, difference: difference, picture: picture),
      until: end)
  }

  func observeSubscriptions<Value>(of input: MarbleInput<Value>, _ texts: [MarbleText], at source: MarbleSource) {
    var expected: [SubscriptionDiagram] = []
    var end: Int64 = 0
    for text in texts {
      let diagram = declare(at: text) {
        try SubscriptionDiagram(text, requiresSubscribing: true, dialect: dialect, frame: frame)
      }
      guard let diagram else { return }
      expected.append(diagram)
      end = max(end, diagram.end)
    }
    noteAsserted(input.log)
    add(
      SubscriptionCheck(
        log: input.log, expected: expected, texts: texts, source: source, frame: frame, dialect: dialect,
        picture: { [weak self] in self?.picture(of: $0, place: source) }),
      until: end)
  }
}

/// One subscriber of a test.
private struct Observation<Value: Sendable>: MarbleCheck {
  let signal: Signal<Value>
  /// Searches for the diagram in its file, so called only if something differs, or in a search.
  let place: () -> MarbleSource?
  let recorder: EventRecorder<Value>
  let subscription: SubscriptionDiagram
  /// Whether all events are recorded, including those after the end of all diagrams.
  let isRecording: Bool
  let difference: () throws -> MarbleFailureText
  let picture: () -> MarblePicture?

  func schedule(on scheduler: VirtualTimeScheduler) {
    let start = SchedulerInstant(sinceOrigin: .nanoseconds(subscription.subscribed ?? 0))
    scheduler.schedule(at: start, phase: .test) { [recorder, signal] in recorder.subscribe(to: signal) }
    PieceLabels.current?.noteLast(of: scheduler, "an expectation subscribes" + words)
    guard let end = subscription.unsubscribed else { return }
    scheduler.schedule(at: SchedulerInstant(sinceOrigin: .nanoseconds(end)), phase: .test) { [recorder] in
      recorder.dispose()
    }
    PieceLabels.current?.noteLast(of: scheduler, "an expectation unsubscribes" + words)
  }

  private var words: String { place().map { ", \($0.fileName):\($0.line)" } ?? "" }

  var isUnlimited: Bool { subscription.unsubscribed == nil }

  var subscribed: Int64 { subscription.subscribed ?? 0 }

  func hasEvent(after time: Int64) -> Bool {
    !isRecording && recorder.events.last.map { $0.nanoseconds > time } ?? false
  }

  func verify(_ failures: MarbleFailures) {
    // Reported together with others at the end: one error may have several consequences, see `MarbleFailures`.
    do {
      let difference = try difference()
      if !difference.isEmpty {
        failures.add(
          .difference, difference.message, at: difference.place ?? place() ?? MarbleSource(), picture: picture)
      }
    } catch {
      failures.add(.difference, "\(error)", at: place() ?? MarbleSource())
    }
  }

  func dispose() { recorder.dispose() }
}

/// The expected subscriptions of a source.
private struct SubscriptionCheck: MarbleCheck {
  let log: SubscriptionLog
  let expected: [SubscriptionDiagram]
  let texts: [MarbleText]
  let source: MarbleSource
  let frame: Duration
  let dialect: MarbleDialect
  let picture: (SubscriptionComparison) -> MarblePicture?

  func verify(_ failures: MarbleFailures) {
    let actual = log.diagrams(frame: frame.exactNanoseconds ?? 1)
    let comparison = SubscriptionComparison(expected: expected, actual: actual)
    guard !comparison.isMatch else { return }
    let received = SubscriptionDiagram.received(actual, dialect: dialect)
    failures.add(
      .difference, "\(comparison)\n\n\(received)".framed + updates(actual),
      at: firstDifferent(actual)?.place ?? source
    ) { picture(comparison) }
  }

  func dispose() {}

  /// Rewrites the failing diagrams, if updates are on.
  private func updates(_ actual: [SubscriptionDiagram]) -> String {
    guard DiagramUpdate.isOn else { return "" }
    guard texts.count == actual.count else {
      return "\n" + "not rewritten: the number of subscriptions differs.".framed
    }
    return texts.indices.filter { !expected[$0].matches(actual[$0]) }
      .map { DiagramUpdate(texts[$0], argument: $0).apply("\(actual[$0])") }.joined()
  }

  /// The first failing diagram; the last one if there are too many subscriptions.
  private func firstDifferent(_ actual: [SubscriptionDiagram]) -> MarbleText? {
    for (index, text) in texts.enumerated() where index >= actual.count || !expected[index].matches(actual[index]) {
      return text
    }
    return texts.last
  }
}
