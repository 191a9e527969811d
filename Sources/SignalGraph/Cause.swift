/// What let a value come to a node: one send into a source, with all that came of it.
///
/// A send has a number, and the value keeps it on its way through operators, hops and timers. What a handler sends has a number of its own, and says under
/// which one it was sent. Causes are noted while handlers are traced, the last few of each node.
public struct Cause: Codable, Hashable, Sendable {
  /// Where a cause began.
  public enum Origin: String, Codable, Hashable, Sendable, CaseIterable {
    /// The program sent, from outside of all chains.
    case program
    /// A subscriber's handler sent.
    case handler
    /// A closure of an operator sent.
    case closure
    /// A timer fired, or other work that a scheduler was asked for.
    case timer
    /// A task of an operator sent.
    case task
    /// A subscription was made, to which the source had something to give.
    case subscription
    /// Something that is not followed, such as a scheduler of the program's own.
    case unknown

    /// Reads an origin; one that this version does not know is ``unknown``.
    ///
    /// - Parameter decoder: Reads from this.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// The number of the send, unique in the process.
  public var number: UInt64
  /// When it came to the node, in seconds since 1 January 1970 UTC.
  public var at: Double
  /// The thread on which it came: "main" for the main queue, else a name or a number.
  public var thread: String
  /// Where it began, if it began at the node; `nil` if it came from above.
  public var origin: Origin?
  /// The node whose handler, timer, task or closure it was, or to which was subscribed, if it began at the node.
  public var by: UInt64?
  /// The number of the send under which this began, if there was one.
  public var parent: UInt64?
  /// Where it began, if it did so at another node that has forgotten it since; `nil` also where that is not known.
  public var start: CauseStart?

  /// Makes a cause from its parts.
  ///
  /// - Parameters:
  ///   - number: The number of the send.
  ///   - at: When it came to the node, in seconds since 1 January 1970 UTC.
  ///   - thread: The thread on which it came.
  ///   - origin: Where it began, if it began at the node.
  ///   - by: The node whose handler, timer, task or closure it was.
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
