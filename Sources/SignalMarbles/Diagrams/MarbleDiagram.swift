import SignalPicture

/// A diagram as a timeline: which events at which time, whatever its text looked like.
///
/// ```swift
/// let diagram = try MarbleDiagram("-a-(bc)|")
/// for (time, event) in diagram.events { print(time / 1_000_000, event) }
/// print(diagram)  // The text again.
/// ```
public struct MarbleDiagram: Hashable, Sendable {
  /// The default frame length, one millisecond.
  public static let defaultFrame: Duration = .milliseconds(1)

  /// The moments in chronological order.
  public var moments: [MarbleMoment]
  /// The time at which the diagram's text begins, in nanoseconds: 0, or less before a `^`.
  public var start: Int64
  /// The time at which the diagram's text ends, in nanoseconds.
  public var end: Int64
  /// Whether a `^`, which takes a frame, marks the time 0.
  public var isAnchored: Bool
  /// The length of one frame in nanoseconds.
  public var frame: Int64

  /// Creates a diagram from its parts.
  ///
  /// - Parameters:
  ///   - moments: The moments in chronological order.
  ///   - start: The beginning of the text in nanoseconds; by default the first moment's time if that is below 0, else
  ///     0.
  ///   - end: The end of the text in nanoseconds; by default one frame after the last moment.
  ///   - isAnchored: Whether a `^` marks the time 0.
  ///   - frame: The length of a frame in nanoseconds, above 0.
  public init(
    moments: [MarbleMoment], start: Int64? = nil, end: Int64? = nil, isAnchored: Bool = false, frame: Int64 = 1_000_000
  ) {
    self.moments = moments
    self.isAnchored = isAnchored || (moments.first?.nanoseconds ?? 0) < 0
    self.frame = frame
    self.start = start ?? min(0, moments.first?.nanoseconds ?? 0)
    let last = moments.last.map { $0.isInsideSubscribe ? $0.nanoseconds : $0.nanoseconds.addingSaturated(frame) }
    self.end = end ?? max(last ?? frame, isAnchored ? frame : 0)
  }

  /// Parses a diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram.
  ///   - role: The purpose of the diagram, which determines its permitted content.
  ///   - dialect: The notation.
  ///   - frame: The duration of a `-`, in whole nanoseconds.
  ///   - source: The location of the text, for messages.
  /// - Throws: ``MarbleSyntaxError``.
  /// - Complexity: O(*n*) in the length of the text.
  public init(
    _ text: String, role: MarbleRole = .expectation, dialect: MarbleDialect = .signals,
    frame: Duration = MarbleDiagram.defaultFrame, source: MarbleSource? = nil
  ) throws(MarbleSyntaxError) {
    self = try ParsedMarbleDiagram(
      MarbleText(text, source: source), role: role, dialect: dialect, frame: frame
    ).diagram
  }

  /// All events with their times.
  public var events: [(nanoseconds: Int64, event: MarbleEvent)] {
    moments.flatMap { moment in moment.events.map { (moment.nanoseconds, $0) } }
  }
}

/// A diagram with the text it was parsed from, to which later errors can refer.
public struct ParsedMarbleDiagram: Hashable, Sendable {
  /// The timeline.
  public let diagram: MarbleDiagram
  /// The text that was parsed.
  public let text: MarbleText
  /// The range in the text of each event of each moment.
  public let places: [[Range<Int>]]
  /// The notation of the text.
  public let dialect: MarbleDialect

  /// Parses a diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram and its location.
  ///   - role: The purpose of the diagram, which determines its permitted content.
  ///   - dialect: The notation.
  ///   - frame: The duration of a `-`, in whole nanoseconds.
  /// - Throws: ``MarbleSyntaxError``.
  /// - Complexity: O(*n*) in the length of the text.
  public init(
    _ text: MarbleText, role: MarbleRole, dialect: MarbleDialect = .signals,
    frame: Duration = MarbleDiagram.defaultFrame
  ) throws(MarbleSyntaxError) {
    var parser = try MarbleParser(text: text, role: role, dialect: dialect, frame: frame)
    (diagram, places) = try parser.parse()
    self.text = text
    self.dialect = dialect
  }
}
