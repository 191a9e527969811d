/// Where and when a cause began, for nodes that know of it longer than the one in which it began.
public struct CauseStart: Codable, Hashable, Sendable {
  /// The node in which it began.
  public var node: UInt64
  /// When that was, in seconds since 1 January 1970 UTC.
  public var at: Double
  /// The thread on which it began.
  public var thread: String
  /// What let it begin.
  public var origin: Cause.Origin
  /// The node whose handler, timer, task or closure it was, or to which was subscribed.
  public var by: UInt64?
  /// The number of the send under which it began, if there was one.
  public var parent: UInt64?

  /// Makes it from its parts.
  ///
  /// - Parameters:
  ///   - node: The node in which the cause began.
  ///   - at: When that was, in seconds since 1 January 1970 UTC.
  ///   - thread: The thread on which it began.
  ///   - origin: What let it begin.
  ///   - by: The node whose handler, timer, task or closure it was.
  ///   - parent: The number of the send under which it began.
  public init(
    node: UInt64, at: Double, thread: String, origin: Cause.Origin, by: UInt64? = nil, parent: UInt64? = nil
  ) {
    self.node = node
    self.at = at
    self.thread = thread
    self.origin = origin
    self.by = by
    self.parent = parent
  }
}
