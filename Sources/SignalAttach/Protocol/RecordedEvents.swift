package import SignalGraph

/// The events in a program during a recording: the response to `/events`.
///
/// The program stores only the last events. A late request gets the number of lost ones.
package struct RecordedEvents: Codable, Hashable, Sendable {
  /// The time at which the clock of the events began, in seconds since 1 January 1970 UTC.
  package var startedAt: Double
  /// The number of the event to request next.
  package var next: UInt64
  /// The number of requested events that are lost.
  package var lost: UInt64
  /// The events, in the order of their ends.
  package var events: [GraphEvent]

  /// Creates a response from its parts.
  ///
  /// - Parameters:
  ///   - startedAt: The time at which the clock of the events began, in seconds since 1 January 1970 UTC.
  ///   - next: The number of the event to request next.
  ///   - lost: The number of requested events that are lost.
  ///   - events: The events.
  package init(startedAt: Double, next: UInt64, lost: UInt64 = 0, events: [GraphEvent] = []) {
    self.startedAt = startedAt
    self.next = next
    self.lost = lost
    self.events = events
  }
}
