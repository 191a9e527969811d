/// The cause of a value at a node: one send into a source, with everything it triggered.
///
/// A send has a number, which the value carries through operators, hops and timers. A send by a handler has its own
/// number, and refers to the send under which it was made. Causes are recorded while handlers are profiled, the last
/// few of each node.
public struct Cause: Codable, Hashable, Sendable {
  /// The origin of a cause.
  public enum Origin: String, Codable, Hashable, Sendable, CaseIterable {
    /// The program sent, from outside of all chains.
    case program
    /// A subscriber's handler sent.
    case handler
    /// A closure of an operator sent.
    case closure
    /// A timer fired, or other scheduled work ran.
    case timer
    /// A task of an operator sent.
    case task
    /// A subscription was created, and the source had a value for it.
    case subscription
    /// An untracked origin, such as a custom scheduler.
    case unknown

    /// Decodes an origin; an unknown one is ``unknown``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: Rethrows the errors of the decoder.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// The number of the send, unique in the process.
  public var number: UInt64
  /// The time of its arrival at the node, in seconds since 1 January 1970 UTC.
  public var at: Double
  /// The thread of its arrival: "main" for the main queue, else a name or a number.
  public var thread: String
  /// Its origin, if it began at the node; `nil` if it came from upstream.
  public var origin: Origin?
  /// The node of the handler, timer, task or closure, or the subscribed one, if it began at the node.
  public var by: UInt64?
  /// The number of the send under which this began, if there was one.
  public var parent: UInt64?
  /// Its beginning, if that was at another node that has discarded it since; `nil` also if unknown.
  public var start: CauseStart?

  /// Creates a cause from its parts.
  ///
  /// - Parameters:
  ///   - number: The number of the send.
  ///   - at: The time of its arrival at the node, in seconds since 1 January 1970 UTC.
  ///   - thread: The thread of its arrival.
  ///   - origin: Its origin, if it began at the node.
  ///   - by: The node of the handler, timer, task or closure.
  ///   - parent: The number of the send under which this began.
  public init(
    number: UInt64, at: Double, thread: String, origin: Origin? = nil, by: UInt64? = nil, parent: UInt64? = nil
  ) {
    self.number = number
    self.at = at
    self.thread = thread
    self.origin = origin
    self.by = by
    self.parent = parent
  }
}
