/// A marble diagram to draw: lines of events on a common time axis, and boxes for the operators between them.
///
/// ```swift
/// import SignalTesting
///
/// func moment(_ milliseconds: Int64, _ events: MarblePicture.Event...) -> MarblePicture.Moment {
///   MarblePicture.Moment(nanoseconds: milliseconds * 1_000_000, events: events)
/// }
///
/// let picture = MarblePicture(
///   title: "Only even numbers",
///   rows: [
///     .line(MarblePicture.Line("source", moments: [moment(1, .value("1")), moment(3, .value("2")), moment(5, .finished)])),
///     .box("filter { $0.isMultiple(of: 2) }"),
///     .line(MarblePicture.Line("result", moments: [moment(3, .value("2")), moment(5, .finished)])),
///   ])
/// print(picture.svg())
/// ```
///
/// Times are in nanoseconds. Lines may be in any order, and texts may have any content: characters that cannot be shown
/// are replaced, long texts are truncated.
public struct MarblePicture: Hashable, Sendable {
  /// An element of the drawing, from top to bottom.
  public enum Row: Hashable, Sendable {
    /// The events of a signal.
    case line(Line)
    /// The time of a subscription.
    case subscription(Span)
    /// An operator, or anything else between the lines above and those below; usually code.
    case box(String)
  }

  /// A short description: read aloud by screen readers, and drawn if the options request it.
  public var title: String
  /// Lines and boxes from top to bottom.
  public var rows: [Row]
  /// The meanings of labels; below the lines.
  public var keys: [Key]
  /// Sentences below everything else.
  public var notes: [String]
  /// The length of one frame in nanoseconds; less than 1 counts as 1.
  public var frame: Int64
  /// The time until which the signals were observed, in nanoseconds; by default the last event.
  public var end: Int64?
  /// The part that is drawn, if the rest was omitted by the creator of the diagram; nil for everything.
  package var excerpt: Excerpt?

  /// Creates a diagram.
  ///
  /// - Parameters:
  ///   - title: A short description.
  ///   - rows: Lines and boxes from top to bottom.
  ///   - keys: The meanings of labels.
  ///   - notes: Sentences below everything else.
  ///   - frame: The length of one frame in nanoseconds.
  ///   - end: The time until which the signals were observed, in nanoseconds; by default the last event.
  public init(
    title: String = "", rows: [Row] = [], keys: [Key] = [], notes: [String] = [], frame: Int64 = 1_000_000,
    end: Int64? = nil
  ) {
    self.title = title
    self.rows = rows
    self.keys = keys
    self.notes = notes
    self.frame = frame
    self.end = end
  }
}

extension MarblePicture {
  /// The events of a signal over time.
  public struct Line: Hashable, Sendable {
    /// The side of a comparison that a line represents.
    public enum Role: Hashable, Sendable {
      /// No side: an input or a result.
      case plain
      /// The expected events.
      case expected
      /// The received events.
      case received
    }

    /// The name before the line.
    public var name: String
    /// The events; those at one instant are one moment.
    public var moments: [Moment]
    /// The time at which the line begins, in nanoseconds.
    public var begin: Int64
    /// The time of unsubscription, in nanoseconds; nil if the line continues, or ends with a terminal event.
    public var left: Int64?
    /// The label of the value that this line represents, if that is a signal; a thread leads from the value to the
    /// line's beginning.
    public var opener: String?
    /// The side of a comparison that the line represents.
    public var role: Role

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - name: The name before the line.
    ///   - moments: The events.
    ///   - begin: The time at which the line begins, in nanoseconds.
    ///   - left: The time of unsubscription, in nanoseconds.
    ///   - opener: The label of the value that this line represents.
    ///   - role: The side of a comparison that the line represents.
    public init(
      _ name: String, moments: [Moment], begin: Int64 = 0, left: Int64? = nil, opener: String? = nil,
      role: Role = .plain
    ) {
      self.name = name
      self.moments = moments
      self.begin = begin
      self.left = left
      self.opener = opener
      self.role = role
    }
  }

  /// The events at one instant.
  public struct Moment: Hashable, Sendable {
    /// The time in nanoseconds.
    public var nanoseconds: Int64
    /// Whether the events arrive during subscription, before everything else at the instant.
    public var isInsideSubscribe: Bool
    /// Whether the events may arrive in any order.
    public var isUnordered: Bool
    /// The events in order.
    public var events: [Event]

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - nanoseconds: The time.
    ///   - isInsideSubscribe: Whether the events arrive during subscription.
    ///   - isUnordered: Whether the events may arrive in any order.
    ///   - events: The events in order.
    public init(
      nanoseconds: Int64, isInsideSubscribe: Bool = false, isUnordered: Bool = false, events: [Event]
    ) {
      self.nanoseconds = nanoseconds
      self.isInsideSubscribe = isInsideSubscribe
      self.isUnordered = isUnordered
      self.events = events
    }
  }

  /// One event.
  public struct Event: Hashable, Sendable {
    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
      /// A value, with the text in its marble. Equal labels have one colour.
      case value(String)
      /// Any value.
      case anyValue
      /// The failure of a signal, with the error's name, if there is one to show.
      case failed(String?)
      /// The completion of a signal.
      case finished
    }

    /// The difference of an event from the other side of a comparison.
    public enum Difference: Hashable, Sendable {
      /// It did not arrive.
      case missing
      /// It was not expected.
      case extra
      /// Another event arrived, or was expected, at its time.
      case different
      /// It arrived at another time.
      case moved
    }

    /// The kind.
    public var kind: Kind
    /// The difference; nil if there is none.
    public var difference: Difference?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - difference: The difference; nil if there is none.
    public init(_ kind: Kind, difference: Difference? = nil) {
      self.kind = kind
      self.difference = difference
    }

    /// A value.
    ///
    /// - Parameter label: The text in its marble.
    public static func value(_ label: String) -> Event { Event(.value(label)) }

    /// Any value.
    public static var anyValue: Event { Event(.anyValue) }

    /// The failure of a signal.
    ///
    /// - Parameter name: The error's name.
    public static func failed(_ name: String? = nil) -> Event { Event(.failed(name)) }

    /// The completion of a signal.
    public static var finished: Event { Event(.finished) }
  }

  /// A subscription with its beginning and end.
  public struct Span: Hashable, Sendable {
    /// The name before it.
    public var name: String
    /// The time at which it begins, in nanoseconds.
    public var subscribed: Int64
    /// The time at which it ends, in nanoseconds; nil if it remains.
    public var unsubscribed: Int64?
    /// Whether it differs from the expected one.
    public var isDifferent: Bool

    /// Creates a subscription.
    ///
    /// - Parameters:
    ///   - name: The name before it.
    ///   - subscribed: The time at which it begins, in nanoseconds.
    ///   - unsubscribed: The time at which it ends, in nanoseconds; nil if it remains.
    ///   - isDifferent: Whether it differs from the expected one.
    public init(_ name: String, subscribed: Int64, unsubscribed: Int64? = nil, isDifferent: Bool = false) {
      self.name = name
      self.subscribed = subscribed
      self.unsubscribed = unsubscribed
      self.isDifferent = isDifferent
    }
  }

  /// The meaning of a label.
  public struct Key: Hashable, Sendable {
    /// The event with the label.
    public var event: Event.Kind
    /// The meaning.
    public var meaning: String

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - event: The event with the label.
    ///   - meaning: The meaning.
    public init(_ event: Event.Kind, _ meaning: String) {
      self.event = event
      self.meaning = meaning
    }
  }
}

/// The options for drawing a marble diagram.
public struct MarbleDrawingOptions: Hashable, Sendable {
  /// The maximum width, in points; a longer diagram continues in bands below. Less than 320 counts as 320.
  public var maximumWidth: Int
  /// The maximum number of bands. Events that do not fit are counted. Less than 1 counts as 1.
  public var maximumBands: Int
  /// Whether the title is drawn in addition to being read aloud.
  public var showsTitle: Bool
  /// The maximum number of characters of a line's name; longer names are truncated.
  package var maximumNameLength = 20

  /// Creates options.
  ///
  /// - Parameters:
  ///   - maximumWidth: The maximum width, in points.
  ///   - maximumBands: The maximum number of bands.
  ///   - showsTitle: Whether the title is drawn in addition to being read aloud.
  public init(maximumWidth: Int = 720, maximumBands: Int = 6, showsTitle: Bool = false) {
    self.maximumWidth = maximumWidth
    self.maximumBands = maximumBands
    self.showsTitle = showsTitle
  }
}
