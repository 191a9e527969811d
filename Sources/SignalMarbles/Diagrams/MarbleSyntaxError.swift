/// A diagram that cannot be read: what is wrong, where, and what to do.
///
/// Its description shows the line of the literal with a caret under the place.
public struct MarbleSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without the place.
  public let message: String
  /// What the author can do about it.
  public let advice: String
  /// The place in ``text``, as offsets in characters (graphemes).
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
