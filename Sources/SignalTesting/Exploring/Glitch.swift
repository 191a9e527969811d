import Signals

/// A value that mixes an old and a new input of one cause.
public struct Glitch: Sendable, Hashable, CustomStringConvertible {
  /// Which expectation of the test received it, counted from 1.
  public var expectation: Int
  /// Which event that was, counted from 1.
  public var event: Int
  /// The value, as in a diagram.
  public var value: String
  /// When, since the start of the test.
  public var time: Duration
  /// The operator that put the inputs together, with its place: `combineLatest Cart.swift:12`.
  public var join: String
  /// The path whose input was new already, from the operator up to the source.
  public var earlyPath: String
  /// The path that was late: its input was old still.
  public var latePath: String
  /// What the expectation received, as marbles.
  public var picture: String

  /// What is wrong, in words, with the marbles.
  public var description: String {
    """
    \(value) mixes a new input with an old one of the same cause, in \(join).
      late   \(latePath)
      ahead  \(earlyPath)

    \(picture)
    """
  }
}

/// Runs a marble test and finds values that mix an old and a new input of one cause.
///
/// When one source reaches an operator such as `combineLatest` by two paths, one event of it arrives twice, and what the operator delivers after
/// the first arrival is made of a new and an old input: a glitch.
///
/// ```swift
/// let glitches = findGlitches { m in
///   let price = m.hot("-1-2-|", of: Int.self)
///   let net = price.signal.map { $0 * 10 }
///   let tax = price.signal.map { $0 * 2 }
///   m.expect(net.combineLatest(tax).map { $0 + $1 }, "-<12>-(<22><24>)-|")
/// }
/// print(glitches)  // 22 mixes a new input with an old one of the same cause, in combineLatest ...
/// ```
///
/// A cause is an event of a source of the test, or a value of an emitter or a property, with all that it sets off at the same virtual instant. The inputs
/// of an operator are compared only where one source reaches both. What comes later on purpose, as behind `delay`, is no glitch.
///
/// - Parameters:
///   - joins: The operators that put latest values together, by the names they have in the graph; by default those of the library and all
///     that declare `combinesLatest`.
///   - dialect: The notation of all diagrams.
///   - frame: How long a `-` is; whole nanoseconds.
///   - timeLimit: The virtual time after which the test with work left fails.
///   - workLimit: How many work items may run in one stretch before the test fails.
///   - declare: Makes sources and expectations.
/// - Returns: The glitches, in the order of time.
public func findGlitches(
  joins: Set<String> = Glitch.joins, dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  timeLimit: Duration = .seconds(86_400), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ declare: (MarbleTest) throws -> Void
) rethrows -> [Glitch] {
  let settings = MarbleSettings(
    dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID, filePath: filePath,
    line: line, column: column)
  let watch = GlitchWatch(joins: joins, frame: frame)
  defer { watch.recorder.close() }
  try watch.recorder.record {
    try settings.run(watch: watch, director: { watch.director(of: $0) }, declare)
  }
  return watch.glitches()
}

/// Runs a marble test and fails for each value that mixes an old and a new input of one cause; see
/// ``findGlitches(joins:dialect:frame:timeLimit:workLimit:fileID:filePath:line:column:_:)``.
///
/// ```swift
/// @Test func theSumIsNeverHalfNew() {
///   expectNoGlitches { m in
///     let price = m.hot("-1-2-|", of: Int.self)
///     let net = price.signal.map { $0 * 10 }
///     let tax = price.signal.map { $0 * 2 }
///     m.expect(net.zip(tax).map { $0 + $1 }, "-<12>-<24>-|")
///   }
/// }
/// ```
///
/// - Parameters:
///   - joins: The operators that put latest values together, by the names they have in the graph; by default those of the library and all
///     that declare `combinesLatest`.
///   - dialect: The notation of all diagrams.
///   - frame: How long a `-` is; whole nanoseconds.
///   - timeLimit: The virtual time after which the test with work left fails.
///   - workLimit: How many work items may run in one stretch before the test fails.
///   - declare: Makes sources and expectations.
/// - Throws: What `declare` throws.
public func expectNoGlitches(
  joins: Set<String> = Glitch.joins, dialect: MarbleDialect = .signals, frame: Duration = MarbleDiagram.defaultFrame,
  timeLimit: Duration = .seconds(86_400), workLimit: Int = 100_000,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ declare: (MarbleTest) throws -> Void
) rethrows {
  let source = MarbleSource(fileID: fileID, filePath: filePath, line: line, column: column)
  guard !joins.isEmpty else {
    return report(
      "joins: [] checks no operator. Leave it out, or name the operators that combine latest values.", at: source)
  }
  let glitches = try findGlitches(
    joins: joins, dialect: dialect, frame: frame, timeLimit: timeLimit, workLimit: workLimit, fileID: fileID,
    filePath: filePath, line: line, column: column, declare)
  guard let first = glitches.first else { return }
  let others = glitches.count - 1
  let more = others > 0 ? "\n\n\(others) more glitch\(others == 1 ? "" : "es") of \(glitches.count)." : ""
  let advice =
    "To do: derive both from one signal (map it to a pair), use zip where each cause reaches both paths once, or combined(with:) of "
    + "properties, which is glitch-free."
  report("\(first)\(more)\n\n\(advice)".framed, at: source)
}

extension Glitch {
  /// The operators of the library that put latest values of several signals together.
  public static let joins: Set<String> = [
    "allSatisfy", "anySatisfy", "combineLatest", "combined", "latestValues", "withLatest(from:)",
  ]
}
