/// Formats values and errors for a comparison, outside of its diagrams.
struct ValueWords<Value> {
  /// The keys in use.
  var keys: Set<String> = []
  /// The names of errors, and the errors.
  var errors: [String: any Error] = [:]
  /// Whether the name of a received value in the rows denotes it in a diagram.
  var isWritable: (Value, MarbleValue) -> Bool = { _, _ in true }
  /// The value of a key; nil if the value is its own key.
  var meaning: (Value, String) -> String? = { _, _ in nil }
  /// The value as it is passed to the argument ``argument``.
  var definition: (Value) -> String = { value in
    value is any StandIn
      ? ShownValue.cut(ShownValue.whole(value), to: 120) : SwiftExpression.orPlaceholder(value, limit: 400)
  }
  /// The argument that defines the keys.
  var argument = "values"
  /// The difference of an expected and a received value, in lines.
  var difference: (Value, Value) -> [String] = { ValueDifference.lines($0, $1) }
  /// The notation in which the test is written.
  var dialect = MarbleDialect.signals
  /// Whether expected values are predicates, which cannot be passed as values.
  var areStandIns = Value.self is any StandIn.Type
}

extension MarbleValues {
  /// Formats comparisons with these values.
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

/// The names of received events, with new ones if the test has none.
struct ReceivedNames<Value> {
  /// The received events, in the notation of diagrams.
  private(set) var events: [MarbleEvent] = []
  /// Values without a key in the test.
  private(set) var newValues: [(key: String, text: String)] = []
  /// The error without a name in the test.
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
    // The value's own description if that is short, as in a recorded diagram.
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
    // A plain # is any error if the test does not define it.
    guard errors[""] != nil else { return nil }
    let name = ["other", "unknown", "unexpected"].first { errors[$0] == nil } ?? "other"
    newErrors = [(name, ShownValue.short(error))]
    return name
  }
}
