/// The values of a diagram's keys.
public struct MarbleValues<Value> {
  /// Values by key.
  public var values: [String: Value]
  /// Errors by name; the empty name is a plain `#`.
  public var errors: [String: any Error]
  /// Creates a value that the map does not have, for example the key itself for a signal of strings.
  public var fallback: (MarbleValue) -> Value?

  /// Creates a map.
  ///
  /// - Parameters:
  ///   - values: Values by key.
  ///   - errors: Errors by name; the empty name is a plain `#`.
  ///   - fallback: Creates a value that the map does not have, or returns nil.
  public init(
    _ values: [String: Value] = [:], errors: [String: any Error] = [:],
    fallback: @escaping (MarbleValue) -> Value? = { _ in nil }
  ) {
    self.values = values
    self.errors = errors
    self.fallback = fallback
  }

  /// Returns the expectation of a diagram.
  ///
  /// - Parameter parsed: The diagram.
  /// - Throws: ``/SignalMarbles/MarbleSyntaxError`` at a key or an error name that is not in the maps.
  public func expectation(_ parsed: ParsedMarbleDiagram) throws(MarbleSyntaxError) -> [ExpectedMoment<Value>] {
    var result: [ExpectedMoment<Value>] = []
    result.reserveCapacity(parsed.diagram.moments.count)
    for (moment, places) in zip(parsed.diagram.moments, parsed.places) {
      var events: [ExpectedEvent<Value>] = []
      for (event, place) in zip(moment.events, places) {
        switch event {
        case .value(let value): events.append(.value(try resolve(value, at: place, in: parsed.text)))
        case .anyValue: events.append(.anyValue)
        case .finished: events.append(.finished)
        case .failed(nil): events.append(.failed(errors[""]))
        case .failed(let name?): events.append(.failed(try error(named: name, at: place, in: parsed.text)))
        }
      }
      result.append(ExpectedMoment(moment: moment, events: events))
    }
    return result
  }

  /// Returns the events of a source.
  ///
  /// - Parameter parsed: The diagram.
  /// - Throws: ``/SignalMarbles/MarbleSyntaxError`` at a key or an error name that is not in the maps.
  public func schedule(_ parsed: ParsedMarbleDiagram) throws(MarbleSyntaxError) -> [TimedEvent<Value>] {
    var result: [TimedEvent<Value>] = []
    result.reserveCapacity(parsed.diagram.moments.count)
    for (expected, places) in zip(try expectation(parsed), parsed.places) {
      for (event, place) in zip(expected.events, places) {
        let received: ReceivedEvent<Value>
        switch event {
        case .value(let value): received = .value(value)
        case .failed(let error): received = .failed(error ?? MarbleFailure())
        case .finished: received = .finished
        case .anyValue:
          throw MarbleSyntaxError(
            "? in a source", advice: "Write which value the source sends.", place: place, text: parsed.text)
        }
        result.append(
          TimedEvent(
            nanoseconds: expected.moment.nanoseconds, isInsideSubscribe: expected.moment.isInsideSubscribe,
            event: received))
      }
    }
    return result
  }

  /// Returns the keys and error names that none of the diagrams uses, sorted.
  ///
  /// - Parameter diagrams: The diagrams.
  /// - Returns: The keys, and the error names with a `#` before them.
  public func unusedKeys(in diagrams: [MarbleDiagram]) -> [String] {
    var unused = Set(values.keys).union(errors.keys.map { "#" + $0 })
    for diagram in diagrams {
      for moment in diagram.moments where !unused.isEmpty {
        for event in moment.events {
          switch event {
          case .value(let value): unused.remove(value.string)
          case .failed(let name): unused.remove("#" + (name ?? ""))
          case .anyValue, .finished: break
          }
        }
      }
    }
    return unused.sorted()
  }

  /// Throws if a map has a key that none of the diagrams uses.
  ///
  /// - Parameter diagrams: The diagrams.
  /// - Throws: ``/SignalMarbles/MarbleSyntaxError`` that shows the first diagram.
  public func checkAllKeysAreUsed(in diagrams: [ParsedMarbleDiagram]) throws(MarbleSyntaxError) {
    let unused = unusedKeys(in: diagrams.map(\.diagram))
    guard let diagram = diagrams.first, !unused.isEmpty else { return }
    throw MarbleSyntaxError(
      "the diagram never uses \(unused.map { "'\($0)'" }.joined(separator: ", "))",
      advice: "Remove it from the map, or use it in the diagram.", place: 0..<diagram.text.string.count,
      text: diagram.text)
  }

  private func resolve(
    _ value: MarbleValue, at place: Range<Int>, in text: MarbleText
  ) throws(MarbleSyntaxError) -> Value {
    if let found = values[value.string] ?? fallback(value) { return found }
    let known = values.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
    throw MarbleSyntaxError(
      "no value for '\(value.string)'",
      advice: known.isEmpty ? "Pass values: [\"\(value.string)\": ...]." : "The map has \(known).", place: place,
      text: text)
  }

  private func error(
    named name: String, at place: Range<Int>, in text: MarbleText
  ) throws(MarbleSyntaxError) -> any Error {
    if let found = errors[name] { return found }
    throw MarbleSyntaxError(
      "no error for '#\(name)'", advice: "Pass errors: [\"\(name)\": ...], or write # for any error.", place: place,
      text: text)
  }
}

extension MarbleValues where Value: LosslessStringConvertible {
  /// A map whose missing keys are read as values themselves: `1` is the number 1, `a` the string "a".
  ///
  /// - Parameter errors: Errors by name; the empty name is a plain `#`.
  public static func literal(errors: [String: any Error] = [:]) -> Self {
    Self(errors: errors) { Value($0.string) }
  }
}

/// The error of a plain `#` in a source without an error map.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// Creates the error.
  public init() {}
}
