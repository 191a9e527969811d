/// How the subscriptions ended that were made at one place in the source code: since the graph was turned on, not only those that are still shown.
///
/// They are counted at subscribers, at the lowest operator of an operator's further input, and for disposals at operators with a delivery queue.
public struct EndCounts: Codable, Hashable, Sendable {
  /// How many delivered `finished`.
  public var finished: UInt64
  /// How many delivered `failed`.
  public var failed: UInt64
  /// How many were disposed before they ended.
  public var disposed: UInt64
  /// How many of ``disposed`` were released within ten milliseconds, before a value came. Explicit disposals do not count.
  public var unused: UInt64
  /// How many of ``disposed`` ended because nobody kept what `subscribe` returned, before its source sent a value. Only a check in a test counts them.
  public var released: UInt64
  /// How many were made when their source had ended already, and got no value.
  public var late: UInt64
  /// How many failures reached a subscriber that has no closure for them.
  public var unhandled: UInt64
  /// How many values were lost that waited at an operator when the subscription was disposed.
  public var lost: UInt64
  /// How many subscriptions lost values in this way.
  public var losing: UInt64
  /// How many of ``losing`` had not delivered any value.
  public var losingAll: UInt64
  /// The last of the failures that nobody handled, as text.
  public var lastUnhandled: String?
  /// How many failures a `catch` or `replaceError` at this location replaced; `nil` if there is none, or where that is not counted.
  public var caught: UInt64?
  /// The description of the last failure that was replaced.
  public var lastCaught: String?

  /// Makes counts; by default there are none.
  ///
  /// - Parameters:
  ///   - finished: How many delivered `finished`.
  ///   - failed: How many delivered `failed`.
  ///   - disposed: How many were disposed before they ended.
  ///   - unused: How many of those were let go of at once, before a value had come.
  ///   - released: How many of those were let go of before their source sent a value, where a test counts that.
  ///   - late: How many were made when their source had ended already.
  ///   - unhandled: How many failures reached a subscriber that has no closure for them.
  ///   - lost: How many values were lost that waited at an operator.
  ///   - losing: How many subscriptions lost values in this way.
  ///   - losingAll: How many of those had not delivered any value.
  ///   - lastUnhandled: The last of these failures, as text.
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

  /// How many subscriptions ended.
  public var total: UInt64 {
    [finished, failed, disposed].reduce(0) { $0 > .max - $1 ? .max : $0 + $1 }
  }
}
