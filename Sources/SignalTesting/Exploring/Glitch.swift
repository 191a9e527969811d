import Signals

/// A value that mixes an old and a new input of one cause.
public struct Glitch: Sendable, Hashable, CustomStringConvertible {
  /// The number of the expectation that received it, counted from 1.
  public var expectation: Int
  /// The number of the event, counted from 1.
  public var event: Int
  /// The value, as in a diagram.
  public var value: String
  /// The time since the start of the test.
  public var time: Duration
  /// The operator that combined the inputs, with its location: `combineLatest Cart.swift:12`.
  public var join: String
  /// The path of the new input, from the operator up to the source.
  public var earlyPath: String
  /// The path of the old input.
  public var latePath: String
  /// The events of the expectation, as marbles.
  public var picture: String

  /// A description of the glitch, with the marbles.
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
/// If one source reaches an operator such as `combineLatest` by two paths, one event of it arrives twice, and the value
/// that the operator delivers after the first arrival combines a new and an old input: a glitch.
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
/// A cause is an event of a source of the test, or a value of an emitter or a property, with everything that it
/// triggers at the same virtual instant. The inputs of an operator are compared only if one source reaches both. A
/// value that comes later by intention, as behind `delay`, is no glitch.
///
/// - Parameters:
///   - joins: The operators that combine latest values, by their names in the graph; by default those of the library
///     and all that declare `combinesLatest`.
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - timeLimit: The virtual time after which the test with remaining work fails.
///   - workLimit: The maximum number of work items in one stretch of the test.
///   - declare: Creates sources and expectations.
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
///   - joins: The operators that combine latest values, by their names in the graph; by default those of the library
///     and all that declare `combinesLatest`.
///   - dialect: The notation of all diagrams.
///   - frame: The length of a `-`; whole nanoseconds.
///   - timeLimit: The virtual time after which the test with remaining work fails.
///   - workLimit: The maximum number of work items in one stretch of the test.
///   - declare: Creates sources and expectations.
/// - Throws: Rethrows the errors of `declare`.
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
  /// The library's operators that combine latest values of several signals.
  public static let joins: Set<String> = [
    "allSatisfy", "anySatisfy", "combineLatest", "combined", "latestValues", "withLatest(from:)",
  ]
}
