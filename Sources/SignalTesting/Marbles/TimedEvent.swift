/// An event that a subscriber receives.
public enum ReceivedEvent<Value> {
  /// A value.
  case value(Value)
  /// The signal failed.
  case failed(any Error)
  /// The signal finished.
  case finished
}

/// An event with its time.
public struct TimedEvent<Value> {
  /// Nanoseconds since the start of the test.
  public var nanoseconds: Int64
  /// Whether the event is sent inside subscribe.
  public var isInsideSubscribe: Bool
  /// The event.
  public var event: ReceivedEvent<Value>

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time since the start of the test.
  ///   - isInsideSubscribe: Whether the event is sent inside subscribe.
  ///   - event: The event.
  public init(nanoseconds: Int64, isInsideSubscribe: Bool = false, event: ReceivedEvent<Value>) {
    self.nanoseconds = nanoseconds
    self.isInsideSubscribe = isInsideSubscribe
    self.event = event
  }
}

/// An expected event.
public enum ExpectedEvent<Value> {
  /// A value equal to this one.
  case value(Value)
  /// Any value.
  case anyValue
  /// A failure; with an error, one equal to it.
  case failed((any Error)?)
  /// The end.
  case finished
}

/// A moment of an expectation: its notation and its events.
public struct ExpectedMoment<Value> {
  /// The notation, with the time.
  public var moment: MarbleMoment
  /// One for each event of ``moment``.
  public var events: [ExpectedEvent<Value>]
}

extension ReceivedEvent: Sendable where Value: Sendable {}
extension TimedEvent: Sendable where Value: Sendable {}
extension ExpectedEvent: Sendable where Value: Sendable {}
extension ExpectedMoment: Sendable where Value: Sendable {}
