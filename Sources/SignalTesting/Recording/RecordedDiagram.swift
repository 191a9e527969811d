import SignalMarbles

/// The received events, as a diagram for a test.
struct RecordedDiagram {
  /// The diagram's text; nil if there is no notation for it.
  let text: String?
  /// The reason why there is none.
  let problem: String?
  /// The missing entries of `values:`: the key and the value as code, or a placeholder for it.
  let additions: [(key: String, value: String)]

  /// Creates a diagram.
  ///
  /// - Parameters:
  ///   - end: The minimum length of the diagram, in nanoseconds.
  ///   - values: The values of keys; values without a key get one.
  ///   - areTextsEnough: Whether values without a key are written as their descriptions instead.
  init<Value>(
    _ events: [TimedEvent<Value>], end: Int64 = 0, frame: Int64, dialect: MarbleDialect = .signals,
    values: MarbleValues<Value>, areTextsEnough: Bool = false, by areEqual: @escaping (Value, Value) -> Bool
  ) {
    var keys = RecordedKeys(values: values, areTextsEnough: areTextsEnough, areEqual: areEqual)
    var moments: [MarbleMoment] = []
    for event in events {
      let notation = keys.notation(of: event.event)
      let isInside = event.isInsideSubscribe && dialect == .signals
      if let last = moments.last, last.nanoseconds == event.nanoseconds, last.isInsideSubscribe == isInside {
        moments[moments.count - 1].events.append(notation)
      } else {
        moments.append(
          MarbleMoment(nanoseconds: event.nanoseconds, isInsideSubscribe: isInside, events: [notation]))
      }
    }
    let printer = MarblePrinter(dialect: dialect)
    var last = frame
    if let moment = moments.last {
      last = moment.nanoseconds
      if !moment.isInsideSubscribe {
        let width = max(frame, printer.width(ofToken: printer.token(for: moment), frame: frame))
        last = last.addingReportingOverflow(width).overflow ? .max : last + width
      }
    }
    let isOver = moments.last?.events.last?.isEnd ?? false
    let diagram = MarbleDiagram(moments: moments, end: isOver ? last : max(last, end), frame: frame)
    additions = keys.additions.map { ($0.key, SwiftExpression.orPlaceholder($0.value)) }
    do {
      text = try printer.print(diagram)
      problem = nil
    } catch {
      text = nil
      problem = error.description
    }
  }

  /// The diagram as a literal, and the missing entries of `values:`.
  var words: String {
    guard let text else { return "no diagram: \(problem ?? "")" }
    return SwiftLiteral.quoted(text) + needs
  }

  /// The missing entries of `values:`.
  var needs: String {
    guard !additions.isEmpty else { return "" }
    let list = additions.map { "  \(SwiftLiteral.quoted($0.key)): \($0.value)," }.joined(separator: "\n")
    let advice =
      additions.contains { SwiftExpression.hasPlaceholder($0.value) } ? "\n" + SwiftExpression.advice : ""
    return "\nwith values: [\n\(list)\n]" + advice
  }
}

/// The keys of values in a recorded diagram.
private struct RecordedKeys<Value> {
  let values: MarbleValues<Value>
  let areTextsEnough: Bool
  let areEqual: (Value, Value) -> Bool
  private let name: (Value) -> MarbleValue
  private(set) var additions: [(key: String, value: Value)] = []

  init(values: MarbleValues<Value>, areTextsEnough: Bool, areEqual: @escaping (Value, Value) -> Bool) {
    self.values = values
    self.areTextsEnough = areTextsEnough
    self.areEqual = areEqual
    name = values.names(by: areEqual)
  }

  mutating func notation(of event: ReceivedEvent<Value>) -> MarbleEvent {
    switch event {
    case .value(let value): .value(key(of: value))
    case .failed(let error): .failed(name(of: error))
    case .finished: .finished
    }
  }

  private mutating func key(of value: Value) -> MarbleValue {
    let name = name(value)
    if areTextsEnough { return name }
    if values.values[name.string].map({ areEqual($0, value) }) == true { return name }
    if values.fallback(name).map({ areEqual($0, value) }) == true { return name }
    if let known = additions.first(where: { areEqual($0.value, value) }) { return .key(known.key) }
    let key = freeKey(for: value)
    additions.append((key, value))
    return .key(key)
  }

  /// An unused key: the value's own description if that is short.
  private func freeKey(for value: Value) -> String {
    let text = String(describing: value)
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    let own = text.count == 1 && text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) ? [text] : []
    let free = (own + letters).first { key in
      values.values[key] == nil && !additions.contains { $0.key == key }
    }
    return free ?? "value\(additions.count + 1)"
  }

  /// The name of an equal error in the map, so that the diagram uses it; the plain `#` for any other.
  private func name(of error: any Error) -> String? {
    let matcher = EventMatcher<Value>(isEqual: areEqual)
    let names = values.errors.keys.sorted().filter { !$0.isEmpty }
    return names.first { name in
      values.errors[name].map { matcher.matches(.failed($0), .failed(error)) } ?? false
    }
  }
}
