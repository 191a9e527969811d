public import SignalGraph

/// One line of an answer that goes on: `/stream` sends snapshots, `/watch` observations of one node.
///
/// Each line is one JSON object, ended by a line feed.
public struct StreamLine<Content: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// How many contents were passed over since the line before, because the reader was too slow, because making them would
  /// have cost the program too much, or (`/watch`) because values came faster than they are looked at.
  public var missed: UInt64
  /// The content; `nil` in the last line.
  public var content: Content?
  /// Why the answer ends; only in the last line.
  public var ended: String?

  /// Makes a line with content.
  ///
  /// - Parameters:
  ///   - missed: How many contents were passed over since the line before.
  ///   - content: The content.
  public init(missed: UInt64, content: Content) {
    self.missed = missed
    self.content = content
  }

  /// Makes the last line of an answer.
  ///
  /// - Parameters:
  ///   - missed: How many contents were passed over since the line before.
  ///   - ended: Why the answer ends.
  public init(missed: UInt64, ended: String) {
    self.missed = missed
    self.ended = ended
  }
}

/// A line of `/stream`.
public typealias SnapshotLine = StreamLine<GraphSnapshot>
/// A line of `/watch`.
public typealias ObservationLine = StreamLine<NodeObservation>

/// What is seen of one node at one moment.
public struct NodeObservation: Codable, Hashable, Sendable {
  /// The node.
  public var node: Node.ID
  /// Where it is in its life.
  public var state: Node.State
  /// How many values passed.
  public var valueCount: UInt64
  /// A short, redacted description of the last value, when the program opted in.
  public var lastValue: String?
  /// When the last event passed, in seconds since 1 January 1970 UTC, if whoever made this knows; programs count, and note no times.
  public var lastEventAt: Double?

  /// Makes an observation from its parts.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - state: Where it is in its life.
  ///   - valueCount: How many values passed.
  ///   - lastValue: A short, redacted description of the last value.
  ///   - lastEventAt: When the last event passed, in seconds since 1 January 1970 UTC.
  public init(
    node: Node.ID, state: Node.State, valueCount: UInt64, lastValue: String? = nil, lastEventAt: Double? = nil
  ) {
    self.node = node
    self.state = state
    self.valueCount = valueCount
    self.lastValue = lastValue
    self.lastEventAt = lastEventAt
  }
}
