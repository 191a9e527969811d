/// A value as denoted in a diagram.
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
  /// `?`: any value. Only allowed in an expectation.
  case anyValue
  /// `#` or `#name`: the signal fails; the name is a key of the error map.
  case failed(String?)
  /// `|`: the signal finishes.
  case finished

  /// Whether no event may follow.
  public var isEnd: Bool {
    switch self {
    case .failed, .finished: true
    case .value, .anyValue: false
    }
  }
}

/// The events at one instant.
public struct MarbleMoment: Hashable, Sendable {
  /// The order in which the events of a moment arrive.
  public enum Order: Hashable, Sendable {
    /// The written order: `(ab)`.
    case asWritten
    /// Any order, `(a & b)`; a terminal event still comes last.
    case any
  }

  /// The time in nanoseconds since the start of the test, negative before `^`.
  public var nanoseconds: Int64
  /// Whether the events are sent during subscription: `{ab}`. ``nanoseconds`` is then 0.
  public var isInsideSubscribe: Bool
  /// The order of the events.
  public var order: Order
  /// The events; never empty.
  public var events: [MarbleEvent]

  /// Creates a moment.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time since the start of the test, negative before `^`.
  ///   - isInsideSubscribe: Whether the events are sent during subscription. The time is then 0.
  ///   - order: The order in which the events arrive; without meaning for a single one.
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
