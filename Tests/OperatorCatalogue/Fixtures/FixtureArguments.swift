import SignalTesting
import Signals
import Synchronization

/// What several operators read from the arguments of a fixture.
extension FixtureContext {
  func required<Value>(_ value: Value?, _ argument: String) throws -> Value {
    guard let value else { throw wrong(argument, "which this operator cannot do without") }
    return value
  }

  func source(named argument: String) throws -> Signal<FixtureValue> {
    try signal(required(string(argument), argument))
  }

  /// Throws at a certain call, if the case says so.
  func throwing() throws -> @Sendable () throws -> Void {
    guard let number = try integer("throwOnCall") else { return {} }
    let error = FixtureError(fixture.arguments["throwValue"] ?? .string("error"))
    let calls = CallCounter()
    return { if calls.next() == number { throw error } }
  }

  /// What makes one value of several.
  func combine() throws -> @Sendable ([FixtureValue]) -> FixtureValue {
    switch try string("combine") {
    case "array": { .array($0) }
    case "concatStrings": { .string($0.map(\.description).joined()) }
    default: throw wrong("combine", "\"array\" or \"concatStrings\"")
    }
  }

  func twoOrThree(
    _ two: (Signal<FixtureValue>, Signal<FixtureValue>) -> Signal<FixtureValue>,
    _ three: (Signal<FixtureValue>, Signal<FixtureValue>, Signal<FixtureValue>) -> Signal<FixtureValue>
  ) throws -> Signal<FixtureValue> {
    let inputs = try signals("inputs")
    switch inputs.count {
    case 2: return two(inputs[0], inputs[1])
    case 3: return three(inputs[0], inputs[1], inputs[2])
    default: throw wrong("inputs", "a list of two or three sources")
    }
  }

  /// The inner signal of each outer value; `*` stands for all values.
  func project() throws -> @Sendable (FixtureValue) throws -> Signal<FixtureValue> {
    let signals = try required(table("project"), "project").mapValues { try signal($0.description) }
    return { value in
      guard let signal = signals[value.description] ?? signals["*"] else {
        throw FixtureArgumentError("project has no source for \(value.json)")
      }
      return signal
    }
  }
}

/// Two values as one text.
@Sendable func joined(_ left: FixtureValue, _ right: FixtureValue) -> FixtureValue {
  .string(left.description + right.description)
}

private final class CallCounter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
