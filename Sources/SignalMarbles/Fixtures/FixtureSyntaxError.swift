/// A line of a fixture file that cannot be read: what is wrong, where, and what to do.
public struct FixtureSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let message: String
  /// What the author can do about it.
  public let advice: String
  /// The file and line.
  public let source: MarbleSource
  /// The line as written.
  public let line: String

  /// The message with its place, the line with a caret, and the advice.
  public var description: String {
    let caret = String(repeating: " ", count: DisplayWidth.of(String(line.prefix(source.column - 1)))) + "^"
    return "\(source.fileName):\(source.line):\(source.column): \(message)\n  \(line)\n  \(caret)\n  \(advice)"
  }
}
