package import SignalTesting
import Signals

extension OperatorCatalogue {
  /// Runs the diagrams of the documentation.
  package static let diagramRunner = FixtureRunner(operators: diagrams, nestedOperators: nestedDiagrams) { value, _ in
    switch value {
    case .string("TimeoutError"): return TimeoutError(interval: .milliseconds(4))
    case .string("OverflowError"): return OverflowError(limit: 2)
    default: return FixtureError(value)
    }
  }

  /// The calls that the diagrams show, word for word.
  package static let calls = diagrams.keys.sorted() + nestedDiagrams.keys.sorted()

  private static let diagrams: [String: FixtureRunner.Build] =
    all.map(\.diagrams).reduce(into: [:]) { $0.merge($1) { $1 } }

  private static let nestedDiagrams: [String: FixtureRunner.NestedBuild] =
    all.map(\.nestedDiagrams).reduce(into: [:]) { $0.merge($1) { $1 } }
}

// The inputs of a diagram.
extension FixtureContext {
  func texts(_ name: String) throws -> Signal<String> { try signal(name).map { $0.description } }

  func numbers(_ name: String) throws -> Signal<Int> {
    try signal(name).map { value in
      guard case .string(let text) = value, let number = Int(text) else {
        throw FixtureArgumentError("\(name) has to send numbers, not \(value).")
      }
      return number
    }
  }
}

// What subscribers get, as diagrams show it.

func shown<Value>(_ signal: Signal<Value>) -> Signal<FixtureValue> {
  signal.map { .string("\($0)") }
}

func shown<First, Second>(_ signal: Signal<(First, Second)>) -> Signal<FixtureValue> {
  signal.map { .string("(\($0), \($1))") }
}

func shown(_ signal: Signal<[String]>) -> Signal<FixtureValue> {
  signal.map { .string("[" + $0.joined(separator: ", ") + "]") }
}

func shown<Value>(_ signal: Signal<Signal<Value>>) -> Signal<Signal<FixtureValue>> {
  signal.map { shown($0) }
}

func shown<Key, Value>(_ signal: Signal<SignalGroup<Key, Value>>) -> Signal<Signal<FixtureValue>> {
  signal.map { shown($0.signal) }
}

/// What the closures of `handle` print does not belong into the output of the tests.
func print(_ item: Any) {}
