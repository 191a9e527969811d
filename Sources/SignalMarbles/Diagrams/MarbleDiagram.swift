/// A diagram as a timeline: which events at which time, whatever its text looked like.
///
/// ```swift
/// let diagram = try MarbleDiagram("-a-(bc)|")
/// for (time, event) in diagram.events { print(time / 1_000_000, event) }
/// print(diagram)  // The text again.
/// ```
public struct MarbleDiagram: Hashable, Sendable {
  /// One millisecond, the frame length unless stated otherwise.
  public static let defaultFrame: Duration = .milliseconds(1)

  /// The moments in order of time.
  public var moments: [MarbleMoment]
  /// The time at which the diagram's text begins, in nanoseconds: 0, or below where a `^` follows.
  public var start: Int64
  /// The time at which the diagram's text ends, in nanoseconds.
  public var end: Int64
  /// Whether a `^` marks the time 0. It takes a frame.
  public var isAnchored: Bool
  /// The length of one frame in nanoseconds.
  public var frame: Int64

  /// Makes a diagram from its parts.
  ///
  /// - Parameters:
  ///   - moments: The moments in order of time.
  ///   - start: Nanoseconds; by default the first moment's time if that is before 0, else 0.
  ///   - end: Nanoseconds; by default one frame after the last moment.
  ///   - isAnchored: Whether a `^` marks the time 0.
  ///   - frame: Nanoseconds, above 0.
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

  /// Reads a diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram.
  ///   - role: What it is used for, which decides what it may contain.
  ///   - dialect: The notation.
  ///   - frame: How long a `-` is; whole nanoseconds.
  ///   - source: Where the text is written, for messages.
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

/// A diagram with the text it was read from, so that later errors can point into the text.
public struct ParsedMarbleDiagram: Hashable, Sendable {
  /// The timeline.
  public let diagram: MarbleDiagram
  /// What was read.
  public let text: MarbleText
  /// For each moment and each of its events, the place in the text.
  public let places: [[Range<Int>]]
  /// The notation of the text.
  public let dialect: MarbleDialect

  /// Reads a diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram, and where it is written.
  ///   - role: What it is used for, which decides what it may contain.
  ///   - dialect: The notation.
  ///   - frame: How long a `-` is; whole nanoseconds.
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
