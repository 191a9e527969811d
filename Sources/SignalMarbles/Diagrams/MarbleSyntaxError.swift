/// A syntax error in a diagram: the problem, its location, and the remedy.
///
/// Its description shows the line of the literal with a caret under the error.
public struct MarbleSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, without its location.
  public let message: String
  /// The remedy.
  public let advice: String
  /// The location in ``text``, as offsets in characters (graphemes).
  public let place: Range<Int>
  /// The diagram.
  public let text: MarbleText

  package init(_ message: String, advice: String, place: Range<Int>, text: MarbleText) {
    self.message = message
    self.advice = advice
    self.place = place
    self.text = text
  }

  /// The message, the line with a caret, and the advice, on several lines.
  public var description: String {
    let (heading, lines) = text.excerpt(marking: place)
    let title = (heading.map { "\($0): " } ?? "") + message
    return ([title] + lines + ["  \(advice)"]).joined(separator: "\n")
  }
}
