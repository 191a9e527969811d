/// A value as a diagram names it.
public enum MarbleValue: Hashable, Sendable {
  /// A key of the value map, written as one grapheme (`a`) or as a name (`<found>`).
  case key(String)
  /// The text of a value itself, written in single quotes (`'two words'`).
  case text(String)

  /// The key or the text.
  public var string: String {
    switch self {
    case .key(let string), .text(let string): string
    }
  }
}

/// One event of a diagram.
public enum MarbleEvent: Hashable, Sendable {
  /// A value.
  case value(MarbleValue)
  /// `?`: any value. Only in an expectation.
  case anyValue
  /// `#` or `#name`: the signal fails; the name is a key of the error map.
  case failed(String?)
  /// `|`: the signal finishes.
  case finished

  /// Whether nothing may follow.
  public var isEnd: Bool {
    switch self {
    case .failed, .finished: true
    case .value, .anyValue: false
    }
  }
}

/// The events of one instant.
public struct MarbleMoment: Hashable, Sendable {
  /// In which order the events of a moment arrive.
  public enum Order: Hashable, Sendable {
    /// In the order in which they are written: `(ab)`.
    case asWritten
    /// In any order, `(a & b)`; an end still comes last.
    case any
  }

  /// Nanoseconds since the start of the test, below zero before `^`.
  public var nanoseconds: Int64
  /// Whether the events are sent inside subscribe: `{ab}`. Then ``nanoseconds`` is 0.
  public var isInsideSubscribe: Bool
  /// The order of the events.
  public var order: Order
  /// The events; never empty.
  public var events: [MarbleEvent]

  /// Makes a moment.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time since the start of the test, below zero before `^`.
  ///   - isInsideSubscribe: Whether the events are sent inside subscribe. Then the time is 0.
  ///   - order: In which order the events arrive; without meaning for a single one.
  ///   - events: The events, at least one.
  public init(
    nanoseconds: Int64, isInsideSubscribe: Bool = false, order: Order = .asWritten, events: [MarbleEvent]
  ) {
    self.nanoseconds = nanoseconds
    self.isInsideSubscribe = isInsideSubscribe
    self.order = events.count == 1 ? .asWritten : order
    self.events = events
  }
}
