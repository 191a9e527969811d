public import Signals

/// Runs cases written as ``/SignalMarbles/MarbleFixture``: a table maps an operator's name and arguments to the signal
/// under test.
///
/// ```swift
/// let runner = FixtureRunner(operators: [
///   "prefix": { context in try context.source().prefix(context.integer("count") ?? 1) }
/// ])
/// let text = """
///   fixture: prefix: finishes together with the last value
///   operator: prefix
///   argument count: 2
///   hot e1:   -a-b-c-|
///   expected: -a-(b|)
///   """
/// for fixture in try FixtureParser.parse(text, filePath: "prefix.marbles") { runner.run(fixture) }
/// ```
public struct FixtureRunner: Sendable {
  /// Creates the signal of a case.
  public typealias Build = @Sendable (FixtureContext) throws -> Signal<FixtureValue>
  /// Creates the signal of a case whose values are signals: the case has a `window` for each.
  public typealias NestedBuild = @Sendable (FixtureContext) throws -> Signal<Signal<FixtureValue>>

  /// The operators that cases may name.
  public let operators: [String: Build]
  /// The operators that cases may name and whose values are signals.
  public let nestedOperators: [String: NestedBuild]
  private let error: @Sendable (FixtureValue, MarbleFixture) -> any Error

  /// Creates a runner.
  /// - Parameters:
  ///   - operators: The function that creates the signal of each operator.
  ///   - nestedOperators: The function that creates the signal of each operator whose values are signals.
  ///   - error: Maps a value in a case to its error; ``FixtureError`` by default.
  public init(
    operators: [String: Build], nestedOperators: [String: NestedBuild] = [:],
    error: @escaping @Sendable (FixtureValue, MarbleFixture) -> any Error = { value, _ in FixtureError(value) }
  ) {
    self.operators = operators
    self.nestedOperators = nestedOperators
    self.error = error
  }

  /// Runs a case and reports differences at the case's own lines.
  ///
  /// If a law differs from the reference, the law's result is expected. Arguments that the table's closure does not
  /// read, and values, windows and expected errors that no diagram uses, are not reported: a case may contain more than
  /// the table needs.
  ///
  /// - Parameter fixture: The case. One whose operator is neither in ``operators`` nor in ``nestedOperators`` fails.
  public func run(_ fixture: MarbleFixture) {
    let place = fixture.source ?? MarbleSource(fileID: fixture.name, filePath: fixture.name, line: 1, column: 1)
    guard let name = fixture.operatorName, let observe = observer(name) else {
      return report(
        "The case names the operator '\(fixture.operatorName ?? "none yet")', which is not in the table. Add it to the table.",
        at: place)
    }
    let test = MarbleTest(fixture: place, dialect: fixture.dialect)
    let errors = fixture.errors.mapValues { error($0, fixture) }
    let values = MarbleValues(fixture.values, errors: errors.withPlainError(FixtureError.unnamed)) {
      FixtureValue.string($0.string)
    }
    var inputs: [String: MarbleInput<FixtureValue>] = [:]
    for source in fixture.sources {
      inputs[source.name] = test.input(source.kind == .hot ? .hot : .cold, source.diagram, values, isStrict: false)
    }
    let context = FixtureContext(fixture: fixture, scheduler: test.scheduler, inputs: inputs)
    do {
      var expected = values
      expected.errors.merge(fixture.expectedErrors.mapValues { error($0, fixture) }) { $1 }
      try observe(test, context, expected)
      for source in fixture.sources {
        guard let texts = fixture.law?.subscriptions[source.name] ?? fixture.subscriptions[source.name],
          let input = inputs[source.name]
        else { continue }
        test.observeSubscriptions(of: input, texts, at: source.diagram.source ?? place)
      }
    } catch {
      test.abandon()
      return report("\(error)", at: place)
    }
    test.run()
  }

  /// Creates a case's signal, and lets its observers subscribe to it.
  private typealias Observe = (MarbleTest, FixtureContext, MarbleValues<FixtureValue>) throws -> Void

  private func observer(_ name: String) -> Observe? {
    if let build = operators[name] {
      return { test, context, values in
        let signal = try build(context)
        for (text, subscription) in context.fixture.expectations {
          test.observe(signal, text, values, subscription: subscription, isStrict: false, by: ==)
        }
      }
    }
    guard let build = nestedOperators[name] else { return nil }
    return { test, context, values in
      let signal = try build(context)
      for (text, subscription) in context.fixture.expectations {
        test.observeNested(signal, text, context.fixture.windows, values, subscription: subscription)
      }
    }
  }
}

extension MarbleFixture {
  /// The expected diagram and the subscription of each observer of this library.
  fileprivate var expectations: [(expected: MarbleText, subscription: MarbleText?)] {
    observers.enumerated().map { index, observer in
      return (law?.expected(at: index) ?? observer.expected, observer.subscription)
    }
  }
}

/// The case and the sources for the signal under test.
public struct FixtureContext {
  /// The case.
  public let fixture: MarbleFixture
  /// The virtual time of the run.
  public let scheduler: VirtualTimeScheduler
  let inputs: [String: MarbleInput<FixtureValue>]

  /// Returns the source with a name.
  ///
  /// - Parameter name: The name in the case: `e1` for `hot e1:` or `cold e1:`.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the case has none.
  public func signal(_ name: String) throws -> Signal<FixtureValue> {
    if let input = inputs[name] { return input.signal }
    throw FixtureArgumentError("The case has no source '\(name)'. Add hot \(name): or cold \(name):.")
  }

  /// Returns the only source, or the one that the argument `outer` or `source` names.
  ///
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if there is none.
  public func source() throws -> Signal<FixtureValue> {
    let name = try string("outer") ?? string("source") ?? fixture.sources.first?.name
    guard let name else { throw FixtureArgumentError("The case has no source. Add hot e1: or cold e1:.") }
    return try signal(name)
  }

  /// Returns the sources that an argument lists.
  ///
  /// - Parameter argument: The argument's name. It holds a list of names of sources.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is missing or of another kind, or names a
  ///   missing source.
  public func signals(_ argument: String) throws -> [Signal<FixtureValue>] {
    try strings(argument).map(signal)
  }

  /// Returns a look-up table, or nil if the case does not have the argument.
  ///
  /// - Parameter argument: The argument's name.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is of another kind.
  public func table(_ argument: String) throws -> [String: FixtureValue]? {
    switch fixture.arguments[argument] {
    case .object(let table): return table
    case nil: return nil
    default: throw wrong(argument, "a table")
    }
  }

  /// Returns a string, or nil if the case does not have the argument.
  ///
  /// - Parameter argument: The argument's name.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is of another kind.
  public func string(_ argument: String) throws -> String? {
    switch fixture.arguments[argument] {
    case .string(let string): return string
    case nil: return nil
    default: throw wrong(argument, "a string")
    }
  }

  /// Returns a list of strings.
  ///
  /// - Parameter argument: The argument's name.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is missing or of another kind.
  public func strings(_ argument: String) throws -> [String] {
    guard case .array(let values) = fixture.arguments[argument] else { throw wrong(argument, "a list of strings") }
    return try values.map { value in
      guard case .string(let string) = value else { throw wrong(argument, "a list of strings") }
      return string
    }
  }

  /// Returns a list of values, or nil if the case does not have the argument.
  ///
  /// - Parameter argument: The argument's name.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is of another kind.
  public func values(_ argument: String) throws -> [FixtureValue]? {
    switch fixture.arguments[argument] {
    case .array(let values): return values
    case nil: return nil
    default: throw wrong(argument, "a list")
    }
  }

  /// Returns a whole number, or nil if the case does not have the argument.
  ///
  /// - Parameter argument: The argument's name.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is of another kind.
  public func integer(_ argument: String) throws -> Int? {
    switch fixture.arguments[argument] {
    case .integer(let number): return number
    case nil: return nil
    default: throw wrong(argument, "a whole number")
    }
  }

  /// Returns a whole number of milliseconds, as a duration.
  ///
  /// - Parameter argument: The argument's name.
  /// - Throws: ``/SignalMarbles/FixtureArgumentError`` if the argument is missing or of another kind.
  public func milliseconds(_ argument: String = "ms") throws -> Duration {
    guard let number = try integer(argument) else { throw wrong(argument, "a whole number") }
    return .milliseconds(number)
  }

  /// Returns the error for an argument that is missing or of another kind.
  ///
  /// - Parameters:
  ///   - argument: The argument's name.
  ///   - kind: The expected kind, for the message: `"a whole number"`.
  public func wrong(_ argument: String, _ kind: String) -> FixtureArgumentError {
    FixtureArgumentError("The case needs the argument '\(argument)', \(kind). Write argument \(argument):.")
  }
}

/// The error that a value in a case represents.
public struct FixtureError: Error, Hashable, CustomStringConvertible {
  /// The value.
  public let value: FixtureValue
  /// The meaning of a plain `#` in a case that does not define it.
  static var unnamed: FixtureError { FixtureError(.string("error")) }

  /// Creates the error.
  ///
  /// - Parameter value: The value in the case.
  public init(_ value: FixtureValue) { self.value = value }

  /// The value as JSON.
  public var description: String { value.json }
}

extension [String: any Error] {
  /// The map with the default meaning of a plain `#`, if it does not define it.
  fileprivate func withPlainError(_ error: any Error) -> Self { self[""] == nil ? adding(error) : self }
}
