package import SignalGraph

/// One line of a streamed response: `/stream` sends snapshots, `/watch` observations of one node.
///
/// Each line is one JSON object, ended by a line feed.
package struct StreamLine<Content: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// The number of contents that were skipped since the line before, because the reader was too slow, because creating
  /// them would have cost the program too much, or (`/watch`) because values came faster than the node is polled.
  package var missed: UInt64
  /// The content; `nil` in the last line.
  package var content: Content?
  /// The reason why the response ends; only in the last line.
  package var ended: String?

  /// Creates a line with content.
  ///
  /// - Parameters:
  ///   - missed: The number of contents that were skipped since the line before.
  ///   - content: The content.
  package init(missed: UInt64, content: Content) {
    self.missed = missed
    self.content = content
  }

  /// Creates the last line of a response.
  ///
  /// - Parameters:
  ///   - missed: The number of contents that were skipped since the line before.
  ///   - ended: The reason why the response ends.
  package init(missed: UInt64, ended: String) {
    self.missed = missed
    self.ended = ended
  }
}

/// A line of `/stream`.
package typealias SnapshotLine = StreamLine<GraphSnapshot>
/// A line of `/watch`.
package typealias ObservationLine = StreamLine<NodeObservation>

/// An observation of one node at one instant.
package struct NodeObservation: Codable, Hashable, Sendable {
  /// The node.
  package var node: Node.ID
  /// The life cycle state.
  package var state: Node.State
  /// The number of values that passed.
  package var valueCount: UInt64
  /// A short, redacted description of the last value, when the program opted in.
  package var lastValue: String?
  /// The time of the last event, in seconds since 1 January 1970 UTC, if known to the creator of this; programs count,
  /// and store no times.
  package var lastEventAt: Double?

  /// Creates an observation from its parts.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - state: The life cycle state.
  ///   - valueCount: The number of values that passed.
  ///   - lastValue: A short, redacted description of the last value.
  ///   - lastEventAt: The time of the last event, in seconds since 1 January 1970 UTC.
  package init(
    node: Node.ID, state: Node.State, valueCount: UInt64, lastValue: String? = nil, lastEventAt: Double? = nil
  ) {
    self.node = node
    self.state = state
    self.valueCount = valueCount
    self.lastValue = lastValue
    self.lastEventAt = lastEventAt
  }
}
