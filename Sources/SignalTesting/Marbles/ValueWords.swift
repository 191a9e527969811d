/// How a comparison tells values and errors apart from their place in a diagram.
struct ValueWords<Value> {
  /// The keys that are taken.
  var keys: Set<String> = []
  /// The names that errors have, and the errors.
  var errors: [String: any Error] = [:]
  /// Whether the name that a received value has in the rows stands for it in a diagram.
  var isWritable: (Value, MarbleValue) -> Bool = { _, _ in true }
  /// What a key stands for; nil where the value is its own key.
  var meaning: (Value, String) -> String? = { _, _ in nil }
  /// The value as it is handed to the argument ``argument``.
  var definition: (Value) -> String = { value in
    value is any StandIn
      ? ShownValue.cut(ShownValue.whole(value), to: 120) : SwiftExpression.orPlaceholder(value, limit: 400)
  }
  /// The argument that says what keys stand for.
  var argument = "values"
  /// In what an expected and a received value differ, in lines.
  var difference: (Value, Value) -> [String] = { ValueDifference.lines($0, $1) }
  /// The notation in which the test is written.
  var dialect = MarbleDialect.signals
  /// Whether expected values are predicates, which cannot be passed as values.
  var areStandIns = Value.self is any StandIn.Type
}

extension MarbleValues {
  /// How comparisons with these values tell them.
  func words(dialect: MarbleDialect = .signals, by areEqual: @escaping (Value, Value) -> Bool) -> ValueWords<Value> {
    ValueWords(
      keys: Set(values.keys), errors: errors,
      isWritable: { [values, fallback] value, name in
        if case .key(let key) = name, let found = values[key] { return areEqual(found, value) }
        return values[name.string] == nil && fallback(name).map { areEqual($0, value) } == true
      },
      meaning: { [values] value, key in
        if values.isEmpty || (value as? any StandIn).map({ $0.represented == nil }) == true { return nil }
        let text = ShownValue.short(value)
        return text == key ? nil : text
      }, dialect: dialect)
  }
}

/// The names of what was received, with new ones where the test has none.
struct ReceivedNames<Value> {
  /// What was received, in the notation of diagrams.
  private(set) var events: [MarbleEvent] = []
  /// What the test has no key for.
  private(set) var newValues: [(key: String, text: String)] = []
  /// The error that the test has no name for.
  private(set) var newErrors: [(name: String, text: String)] = []
  private var keys: Set<String>
  private var keysByText: [String: String] = [:]
  private let comparison: MarbleComparison<Value>

  init(_ comparison: MarbleComparison<Value>) {
    self.comparison = comparison
    keys = comparison.words.keys
    for expected in comparison.expected {
      if case .value(let value) = expected.notation { keys.insert(value.string) }
    }
    events.reserveCapacity(comparison.actual.count)
    for event in comparison.actual { events.append(notation(event.event)) }
  }

  private mutating func notation(_ event: ReceivedEvent<Value>) -> MarbleEvent {
    switch event {
    case .finished: return .finished
    case .failed(let error): return .failed(name(error))
    case .value(let value):
      let name = comparison.name(value)
      return .value(comparison.words.isWritable(value, name) ? name : .key(newKey(value)))
    }
  }

  private mutating func newKey(_ value: Value) -> String {
    let text = comparison.words.definition(value)
    if let key = keysByText[text] { return key }
    // The value's own text where that is short, as in a recorded diagram.
    let own = text.filter { $0 != "\"" && $0 != "." }
    let isKey = own.count == 1 && own.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    let key = ((isKey ? [own] : []) + letters).first { !keys.contains($0) } ?? "value\(newValues.count + 1)"
    keys.insert(key)
    keysByText[text] = key
    newValues.append((key, text))
    return key
  }

  private mutating func name(_ error: any Error) -> String? {
    let errors = comparison.words.errors
    let matcher = comparison.matcher
    if let plain = errors[""], matcher.areEqual(plain, error) { return nil }
    let named = errors.filter { !$0.key.isEmpty && matcher.areEqual($0.value, error) }.keys.min()
    if let named { return named }
    // A plain # stands for any error where the test says nothing about it.
    guard errors[""] != nil else { return nil }
    let name = ["other", "unknown", "unexpected"].first { errors[$0] == nil } ?? "other"
    newErrors = [(name, ShownValue.short(error))]
    return name
  }
}
