import CustomDump
public import Signals

extension MarbleTest {
  /// Subscribes to a signal and expects values that satisfy predicates.
  ///
  /// ```swift
  /// @Test func givesEachRequestANumberOfItsOwn() {
  ///   struct Request: Sendable { var number: Int, path: String }
  ///   marbles { m in
  ///     let paths = m.hot("-a-b-|")
  ///     let requests = paths.signal.map { Request(number: .random(in: 1...100), path: $0) }
  ///     m.expect(
  ///       requests, "-x-y-|",
  ///       matching: ["x": { $0.number > 0 && $0.path == "a" }, "y": { $0.number > 0 && $0.path == "b" }])
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - signal: The signal under test. Its values need not be `Equatable`.
  ///   - diagram: The expected events, in time since the start of the test.
  ///   - predicates: The predicates of the diagram's keys; each has to be used.
  ///   - error: The error that `#` expects, or an ``ErrorPattern``; any error by default.
  ///   - errors: The errors that `#name` expects.
  ///   - subscription: The time to subscribe (`^`, by default the start) and to unsubscribe (`!`, by default never).
  ///   - tolerance: The maximum difference between the actual and the expected time of an event.
  public func expect<Value: Sendable>(
    _ signal: Signal<Value>, _ diagram: String, matching predicates: [String: (Value) -> Bool],
    error: (any Error)? = nil, errors: [String: any Error] = [:], subscription: String? = nil,
    tolerance: Duration = .zero,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
    let values = MarbleValues(
      Dictionary(uniqueKeysWithValues: predicates.keys.map { ($0, Candidate<Value>.key($0)) }),
      errors: errors.adding(error))
    func fits(_ left: Candidate<Value>, _ right: Candidate<Value>) -> Bool {
      switch (left, right) {
      case (.key(let key), .value(let value)), (.value(let value), .key(let key)): predicates[key]?(value) ?? false
      case (.key(let left), .key(let right)): left == right
      case (.value, .value): false
      }
    }
    observe(
      signal.map { Candidate.value($0) }, MarbleText(diagram, source: source), values,
      subscription: subscription.map { MarbleText($0, source: source) }, isStrict: true,
      tolerance: TimeTolerance(tolerance), by: fits)
  }
}

/// A received value, or the key of a predicate that it has to satisfy.
private enum Candidate<Value: Sendable>: Sendable, StandIn, CustomDumpRepresentable {
  case key(String)
  case value(Value)

  var description: String {
    switch self {
    case .key(let key): "a value for which \(key) holds"
    case .value(let value): String(describing: value)
    }
  }

  var represented: Any? { if case .value(let value) = self { value } else { nil } }

  var customDumpValue: Any {
    switch self {
    case .key: description
    case .value(let value): value
    }
  }
}
