/// Something that happened in a graph while somebody recorded it: a source sent, a value passed operators, a handler ran.
public struct GraphEvent: Codable, Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A source was sent a value; it took as long as all that was done for it there and then.
    case sent
    /// A value passed an operator, or several that were joined into one; with what it was handed on to there and then.
    case passed
    /// A subscriber's handler ran.
    case handled

    /// Reads a kind; one that this version does not know is ``passed``.
    ///
    /// - Parameter decoder: Reads from this.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .passed
    }
  }

  /// What happened.
  public var kind: Kind
  /// The node where it happened; of several that were joined into one the last that values pass.
  public var node: UInt64
  /// The first that values pass of nodes that were joined into one: they have all the identifiers from ``node`` to this one. Else ``node`` again.
  public var first: UInt64
  /// The number of the send that caused it, see ``Cause/number``; 0 if that is not known.
  public var cause: UInt64
  /// When it began, in nanoseconds since the recording's clock did.
  public var time: UInt64
  /// How long it took, in nanoseconds.
  public var duration: UInt64
  /// The thread on which it happened: "main" for the main queue, else a name or a number.
  public var thread: String
  /// What let the cause begin, if it began here.
  public var origin: Cause.Origin?
  /// The node whose handler, timer, task or closure that was.
  public var by: UInt64?
  /// The number of the send under which the cause began, if there was one.
  public var parent: UInt64?

  /// Makes an event from its parts.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - node: The node where it happened.
  ///   - first: The first of nodes that were joined into one; `nil` for `node` alone.
  ///   - cause: The number of the send that caused it.
  ///   - time: When it began, in nanoseconds since the recording's clock did.
  ///   - duration: How long it took, in nanoseconds.
  ///   - thread: The thread on which it happened.
  ///   - origin: What let the cause begin, if it began here.
  ///   - by: The node whose handler, timer, task or closure that was.
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

  /// Whether it happened at a node, alone or with others.
  ///
  /// - Parameter node: The identifier of the node.
  public func isAt(_ node: UInt64) -> Bool { self.node <= node && node <= first }
}
