public import SignalGraph

/// What has happened in a program while somebody recorded it: the answer to `/events`.
///
/// The program has room for the last events only. Whoever asks too late is told how many were lost.
public struct RecordedEvents: Codable, Hashable, Sendable {
  /// When the clock of the events began, in seconds since 1 January 1970 UTC.
  public var startedAt: Double
  /// The number of the event to ask for next.
  public var next: UInt64
  /// How many of the events that were asked for are lost.
  public var lost: UInt64
  /// What has happened: what was over first comes first.
  public var events: [GraphEvent]

  /// Makes an answer from its parts.
  ///
  /// - Parameters:
  ///   - startedAt: When the clock of the events began, in seconds since 1 January 1970 UTC.
  ///   - next: The number of the event to ask for next.
  ///   - lost: How many of the events that were asked for are lost.
  ///   - events: What has happened.
  public init(startedAt: Double, next: UInt64, lost: UInt64 = 0, events: [GraphEvent] = []) {
    self.startedAt = startedAt
    self.next = next
    self.lost = lost
    self.events = events
  }
}
