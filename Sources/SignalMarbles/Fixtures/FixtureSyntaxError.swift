/// A syntax error in a line of a fixture file: the problem, its location, and the remedy.
public struct FixtureSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem.
  public let message: String
  /// The remedy.
  public let advice: String
  /// The file and line.
  public let source: MarbleSource
  /// The line as written.
  public let line: String

  /// The message with its location, the line with a caret, and the advice.
  public var description: String {
    let caret = String(repeating: " ", count: DisplayWidth.of(String(line.prefix(source.column - 1)))) + "^"
    return "\(source.fileName):\(source.line):\(source.column): \(message)\n  \(line)\n  \(caret)\n  \(advice)"
  }
}
