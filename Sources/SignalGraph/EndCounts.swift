/// The numbers of ends of the subscriptions that were created at one source location since the graph was turned on,
/// including those that are no longer shown.
///
/// They are counted at subscribers, at the lowest operator of an operator's further input, and for disposals at operators with a delivery queue.
public struct EndCounts: Codable, Hashable, Sendable {
  /// The number that delivered `finished`.
  public var finished: UInt64
  /// The number that delivered `failed`.
  public var failed: UInt64
  /// The number that were disposed before they ended.
  public var disposed: UInt64
  /// The number of ``disposed`` that were released within ten milliseconds, before a value came. Explicit disposals do
  /// not count.
  public var unused: UInt64
  /// The number of ``disposed`` that ended because the result of `subscribe` was released, before the source sent a
  /// value. Only a check in a test counts them.
  public var released: UInt64
  /// The number that were created after the end of their source, and got no value.
  public var late: UInt64
  /// The number of failures that reached a subscriber without a failure closure.
  public var unhandled: UInt64
  /// The number of values that were lost because they waited at an operator when the subscription was disposed.
  public var lost: UInt64
  /// The number of subscriptions that lost values in this way.
  public var losing: UInt64
  /// The number of ``losing`` that had not delivered any value.
  public var losingAll: UInt64
  /// The description of the last unhandled failure.
  public var lastUnhandled: String?
  /// The number of failures that a `catch` or `replaceError` at this location replaced; `nil` if there are none, or if
  /// they are not counted.
  public var caught: UInt64?
  /// The description of the last failure that was replaced.
  public var lastCaught: String?

  /// Creates counts; zero by default.
  ///
  /// - Parameters:
  ///   - finished: The number that delivered `finished`.
  ///   - failed: The number that delivered `failed`.
  ///   - disposed: The number that were disposed before they ended.
  ///   - unused: The number of those that were released at once, before a value came.
  ///   - released: The number of those that were released before their source sent a value, if a test counts that.
  ///   - late: The number that were created after the end of their source.
  ///   - unhandled: The number of failures that reached a subscriber without a failure closure.
  ///   - lost: The number of values that were lost waiting at an operator.
  ///   - losing: The number of subscriptions that lost values in this way.
  ///   - losingAll: The number of those that had not delivered any value.
  ///   - lastUnhandled: The description of the last of these failures.
  public init(
    finished: UInt64 = 0, failed: UInt64 = 0, disposed: UInt64 = 0, unused: UInt64 = 0, released: UInt64 = 0,
    late: UInt64 = 0, unhandled: UInt64 = 0, lost: UInt64 = 0, losing: UInt64 = 0, losingAll: UInt64 = 0,
    lastUnhandled: String? = nil
  ) {
    self.finished = finished
    self.failed = failed
    self.disposed = disposed
    self.unused = unused
    self.released = released
    self.late = late
    self.unhandled = unhandled
    self.lost = lost
    self.losing = losing
    self.losingAll = losingAll
    self.lastUnhandled = lastUnhandled
  }

  /// The number of subscriptions that ended.
  public var total: UInt64 {
    [finished, failed, disposed].reduce(0) { $0 > .max - $1 ? .max : $0 + $1 }
  }
}
