/// The beginning of a cause, for nodes that retain it longer than the one in which it began.
public struct CauseStart: Codable, Hashable, Sendable {
  /// The node in which it began.
  public var node: UInt64
  /// The time of the beginning, in seconds since 1 January 1970 UTC.
  public var at: Double
  /// The thread on which it began.
  public var thread: String
  /// The origin of the cause.
  public var origin: Cause.Origin
  /// The node of the handler, timer, task or closure, or the subscribed one.
  public var by: UInt64?
  /// The number of the send under which it began, if there was one.
  public var parent: UInt64?

  /// Creates it from its parts.
  ///
  /// - Parameters:
  ///   - node: The node in which the cause began.
  ///   - at: The time of the beginning, in seconds since 1 January 1970 UTC.
  ///   - thread: The thread on which it began.
  ///   - origin: The origin of the cause.
  ///   - by: The node of the handler, timer, task or closure.
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
