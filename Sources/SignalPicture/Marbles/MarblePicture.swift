/// A marble diagram as something to look at: lines of events over one time, and boxes for what happens between them.
///
/// ```swift
/// import SignalPicture
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
/// Times are nanoseconds. Lines may be given in any order of time, and texts may hold anything: what cannot be shown is replaced, what is too
/// long is cut.
public struct MarblePicture: Hashable, Sendable {
  /// What is drawn below each other.
  public enum Row: Hashable, Sendable {
    /// What a signal sends.
    case line(Line)
    /// When a signal is subscribed to, and when no longer.
    case subscription(Span)
    /// An operator, or whatever is between the lines above and those below; usually a piece of code.
    case box(String)
  }

  /// What the picture shows, in a few words: read aloud by screen readers, and drawn where the options ask for it.
  public var title: String
  /// Lines and boxes from top to bottom.
  public var rows: [Row]
  /// What labels stand for; below the lines.
  public var keys: [Key]
  /// Sentences below everything.
  public var notes: [String]
  /// The length of one frame in nanoseconds; less than 1 counts as 1.
  public var frame: Int64
  /// How long it was watched, in nanoseconds; by default until the last event.
  public var end: Int64?
  /// The part that is drawn, where whoever made the picture left out the rest; nil where that is everything.
  package var excerpt: Excerpt?

  /// Makes a picture.
  ///
  /// - Parameters:
  ///   - title: What the picture shows, in a few words.
  ///   - rows: Lines and boxes from top to bottom.
  ///   - keys: What labels stand for.
  ///   - notes: Sentences below everything.
  ///   - frame: The length of one frame in nanoseconds.
  ///   - end: How long it was watched, in nanoseconds; by default until the last event.
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
  /// What a signal sends, over time.
  public struct Line: Hashable, Sendable {
    /// Which side of a comparison a line is.
    public enum Role: Hashable, Sendable {
      /// No side: an input or a result.
      case plain
      /// What should come.
      case expected
      /// What came.
      case received
    }

    /// What stands before the line.
    public var name: String
    /// What is sent; the events of one instant are one moment.
    public var moments: [Moment]
    /// When the line begins, in nanoseconds.
    public var begin: Int64
    /// When the line is left, in nanoseconds; nil where it goes on, or ends with its own end.
    public var left: Int64?
    /// The label of the value that this line is, when that is a signal; a thread leads from the value to the line's beginning.
    public var opener: String?
    /// Which side of a comparison the line is.
    public var role: Role

    /// Makes a line.
    ///
    /// - Parameters:
    ///   - name: What stands before the line.
    ///   - moments: What is sent.
    ///   - begin: When the line begins, in nanoseconds.
    ///   - left: When the line is left, in nanoseconds.
    ///   - opener: The label of the value that this line is.
    ///   - role: Which side of a comparison the line is.
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

  /// The events of one instant.
  public struct Moment: Hashable, Sendable {
    /// When.
    public var nanoseconds: Int64
    /// Whether the events come inside subscribe, before everything else of the instant.
    public var isInsideSubscribe: Bool
    /// Whether the events may come in any order.
    public var isUnordered: Bool
    /// The events in their order.
    public var events: [Event]

    /// Makes a moment.
    ///
    /// - Parameters:
    ///   - nanoseconds: When.
    ///   - isInsideSubscribe: Whether the events come inside subscribe.
    ///   - isUnordered: Whether the events may come in any order.
    ///   - events: The events in their order.
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
    /// What an event is.
    public enum Kind: Hashable, Sendable {
      /// A value, with what is written into its marble. Equal labels have one colour.
      case value(String)
      /// A value, whichever.
      case anyValue
      /// The end of a signal that fails; the error's name, if there is something to say.
      case failed(String?)
      /// The end of a signal that finishes.
      case finished
    }

    /// How an event differs from the other side of a comparison.
    public enum Difference: Hashable, Sendable {
      /// It did not come.
      case missing
      /// It was not expected.
      case extra
      /// Another one came, or was expected, at its time.
      case different
      /// It came at another time.
      case moved
    }

    /// What it is.
    public var kind: Kind
    /// How it differs; nil where it does not.
    public var difference: Difference?

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - kind: What it is.
    ///   - difference: How it differs; nil where it does not.
    public init(_ kind: Kind, difference: Difference? = nil) {
      self.kind = kind
      self.difference = difference
    }

    /// A value.
    ///
    /// - Parameter label: What is written into its marble.
    public static func value(_ label: String) -> Event { Event(.value(label)) }

    /// A value, whichever.
    public static var anyValue: Event { Event(.anyValue) }

    /// The end of a signal that fails.
    ///
    /// - Parameter name: The error's name.
    public static func failed(_ name: String? = nil) -> Event { Event(.failed(name)) }

    /// The end of a signal that finishes.
    public static var finished: Event { Event(.finished) }
  }

  /// A subscription: from when to when.
  public struct Span: Hashable, Sendable {
    /// What stands before it.
    public var name: String
    /// When it begins, in nanoseconds.
    public var subscribed: Int64
    /// When it ends, in nanoseconds; nil where it stays.
    public var unsubscribed: Int64?
    /// Whether it is not as it should be.
    public var isDifferent: Bool

    /// Makes a subscription.
    ///
    /// - Parameters:
    ///   - name: What stands before it.
    ///   - subscribed: When it begins, in nanoseconds.
    ///   - unsubscribed: When it ends, in nanoseconds; nil where it stays.
    ///   - isDifferent: Whether it is not as it should be.
    public init(_ name: String, subscribed: Int64, unsubscribed: Int64? = nil, isDifferent: Bool = false) {
      self.name = name
      self.subscribed = subscribed
      self.unsubscribed = unsubscribed
      self.isDifferent = isDifferent
    }
  }

  /// What a label stands for.
  public struct Key: Hashable, Sendable {
    /// The event with the label.
    public var event: Event.Kind
    /// What it stands for.
    public var meaning: String

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - event: The event with the label.
    ///   - meaning: What it stands for.
    public init(_ event: Event.Kind, _ meaning: String) {
      self.event = event
      self.meaning = meaning
    }
  }
}

/// How a marble picture is drawn.
public struct MarbleDrawingOptions: Hashable, Sendable {
  /// The widest that the picture may be, in points; a longer diagram goes on below. Less than 320 counts as 320.
  public var maximumWidth: Int
  /// How often a long diagram goes on below, at most. What does not fit is counted. Less than 1 counts as 1.
  public var maximumBands: Int
  /// Whether the title is drawn, and not only read aloud.
  public var showsTitle: Bool
  /// How many characters of a line's name are shown. What is longer loses its end.
  package var maximumNameLength = 20

  /// Makes options.
  ///
  /// - Parameters:
  ///   - maximumWidth: The widest that the picture may be, in points.
  ///   - maximumBands: How often a long diagram goes on below, at most.
  ///   - showsTitle: Whether the title is drawn, and not only read aloud.
  public init(maximumWidth: Int = 720, maximumBands: Int = 6, showsTitle: Bool = false) {
    self.maximumWidth = maximumWidth
    self.maximumBands = maximumBands
    self.showsTitle = showsTitle
  }
}
