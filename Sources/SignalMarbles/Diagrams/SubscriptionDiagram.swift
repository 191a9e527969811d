import SignalPicture

/// When a source is, or was, subscribed and unsubscribed: `--^---!`.
public struct SubscriptionDiagram: Hashable, Sendable {
  /// The time of `^` in nanoseconds; nil if the diagram has none, which means the start of the test.
  public var subscribed: Int64?
  /// The time of `!` in nanoseconds; nil if the subscription remains.
  public var unsubscribed: Int64?
  /// The time at which the diagram's text ends, in nanoseconds.
  public var end: Int64
  /// The length of one frame in nanoseconds.
  public var frame: Int64

  /// Creates a subscription.
  ///
  /// - Parameters:
  ///   - subscribed: The time of `^` in nanoseconds; nil for the start of the test.
  ///   - unsubscribed: The time of `!` in nanoseconds; nil if the subscription remains.
  ///   - end: The end of the text in nanoseconds; by default one frame after the last mark.
  ///   - frame: The length of a frame in nanoseconds, above 0.
  public init(subscribed: Int64?, unsubscribed: Int64? = nil, end: Int64? = nil, frame: Int64 = 1_000_000) {
    self.subscribed = subscribed
    self.unsubscribed = unsubscribed
    self.frame = frame
    self.end = end ?? (unsubscribed ?? subscribed ?? 0).addingSaturated(frame)
  }

  /// Parses a subscription diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram: `--^---!`.
  ///   - requiresSubscribing: Whether `^` is required, as in an expectation.
  ///   - dialect: The notation.
  ///   - frame: The duration of a `-`, in whole nanoseconds.
  ///   - source: The location of the text, for messages.
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

  /// Whether both subscribe and unsubscribe at the same times, regardless of the lengths of their texts.
  ///
  /// - Parameter other: The other subscription.
  public func matches(_ other: SubscriptionDiagram) -> Bool {
    (subscribed ?? 0) == (other.subscribed ?? 0) && unsubscribed == other.unsubscribed
  }
}
