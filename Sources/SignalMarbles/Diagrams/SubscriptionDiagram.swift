/// When a source is, or was, subscribed and unsubscribed: `--^---!`.
public struct SubscriptionDiagram: Hashable, Sendable {
  /// Nanoseconds of `^`; nil where the diagram has none, which means the start of the test.
  public var subscribed: Int64?
  /// Nanoseconds of `!`; nil where the subscription stays.
  public var unsubscribed: Int64?
  /// The time at which the diagram's text ends, in nanoseconds.
  public var end: Int64
  /// The length of one frame in nanoseconds.
  public var frame: Int64

  /// Makes a subscription.
  ///
  /// - Parameters:
  ///   - subscribed: Nanoseconds of `^`; nil stands for the start of the test.
  ///   - unsubscribed: Nanoseconds of `!`; nil where the subscription stays.
  ///   - end: Nanoseconds; by default one frame after the last mark.
  ///   - frame: Nanoseconds, above 0.
  public init(subscribed: Int64?, unsubscribed: Int64? = nil, end: Int64? = nil, frame: Int64 = 1_000_000) {
    self.subscribed = subscribed
    self.unsubscribed = unsubscribed
    self.frame = frame
    self.end = end ?? (unsubscribed ?? subscribed ?? 0).addingSaturated(frame)
  }

  /// Reads a subscription diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram: `--^---!`.
  ///   - requiresSubscribing: Whether `^` has to be there, as in an expectation.
  ///   - dialect: The notation.
  ///   - frame: How long a `-` is; whole nanoseconds.
  ///   - source: Where the text is written, for messages.
  /// - Throws: ``MarbleSyntaxError``.
  public init(
    _ text: String, requiresSubscribing: Bool = false, dialect: MarbleDialect = .signals,
    frame: Duration = MarbleDiagram.defaultFrame, source: MarbleSource? = nil
  ) throws(MarbleSyntaxError) {
    try self.init(
      MarbleText(text, source: source), requiresSubscribing: requiresSubscribing, dialect: dialect, frame: frame)
  }

  package init(
    _ text: MarbleText, requiresSubscribing: Bool = false, dialect: MarbleDialect, frame: Duration
  ) throws(MarbleSyntaxError) {
    var parser = SubscriptionParser(cursor: try MarbleCursor(text: text, dialect: dialect, frame: frame))
    self = try parser.parse(requiresSubscribing: requiresSubscribing)
  }

  /// Whether both subscribe and unsubscribe at the same times, however long their texts are.
  ///
  /// - Parameter other: The other subscription.
  public func matches(_ other: SubscriptionDiagram) -> Bool {
    (subscribed ?? 0) == (other.subscribed ?? 0) && unsubscribed == other.unsubscribed
  }
}
