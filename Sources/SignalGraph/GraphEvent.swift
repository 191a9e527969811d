/// An event in a graph during a recording: a source sent, a value passed operators, a handler ran.
public struct GraphEvent: Codable, Hashable, Sendable {
  /// The kind of the event.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A source was sent a value; its duration includes everything done synchronously.
    case sent
    /// A value passed an operator, or several fused ones; its duration includes the synchronous downstream.
    case passed
    /// A subscriber's handler ran.
    case handled

    /// Decodes a kind; an unknown one is ``passed``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: Rethrows the errors of the decoder.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .passed
    }
  }

  /// The kind of the event.
  public var kind: Kind
  /// The node of the event; of several fused ones, the last in the direction of the values.
  public var node: UInt64
  /// The first of fused nodes in the direction of the values: they have the identifiers from ``node`` to this one.
  /// Otherwise ``node`` again.
  public var first: UInt64
  /// The number of the send that caused it, see ``Cause/number``; 0 if unknown.
  public var cause: UInt64
  /// Its beginning, in nanoseconds since that of the recording's clock.
  public var time: UInt64
  /// Its duration, in nanoseconds.
  public var duration: UInt64
  /// The thread of the event: "main" for the main queue, else a name or a number.
  public var thread: String
  /// The origin of the cause, if it began here.
  public var origin: Cause.Origin?
  /// The node of that handler, timer, task or closure.
  public var by: UInt64?
  /// The number of the send under which the cause began, if there was one.
  public var parent: UInt64?

  /// Creates an event from its parts.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - node: The node of the event.
  ///   - first: The first of fused nodes; `nil` for `node` alone.
  ///   - cause: The number of the send that caused it.
  ///   - time: Its beginning, in nanoseconds since that of the recording's clock.
  ///   - duration: Its duration, in nanoseconds.
  ///   - thread: The thread of the event.
  ///   - origin: The origin of the cause, if it began here.
  ///   - by: The node of that handler, timer, task or closure.
  ///   - parent: The number of the send under which the cause began.
  public init(
    _ kind: Kind, node: UInt64, first: UInt64? = nil, cause: UInt64, time: UInt64, duration: UInt64 = 0,
    thread: String, origin: Cause.Origin? = nil, by: UInt64? = nil, parent: UInt64? = nil
  ) {
    self.kind = kind
    self.node = node
    self.first = max(node, first ?? node)
    self.cause = cause
    self.time = time
    self.duration = duration
    self.thread = thread
    self.origin = origin
    self.by = by
    self.parent = parent
  }

  /// Whether it occurred at a node, alone or fused with others.
  ///
  /// - Parameter node: The identifier of the node.
  public func isAt(_ node: UInt64) -> Bool { self.node <= node && node <= first }
}
