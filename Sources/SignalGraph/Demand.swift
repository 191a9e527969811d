/// The demand at a step that delivers values only on request, such as a stage of an `AsyncSequence`.
public struct Demand: Codable, Hashable, Sendable {
  /// Whether a consumer is waiting for the next value. If not, the consumer of the last one is busy, and has not
  /// requested another.
  public var isAsked: Bool
  /// The time of the last change, in seconds since 1 January 1970 UTC.
  public var since: Double

  /// Creates it from its parts.
  ///
  /// - Parameters:
  ///   - isAsked: Whether a consumer is waiting for the next value.
  ///   - since: The time of the last change, in seconds since 1 January 1970 UTC.
  public init(isAsked: Bool, since: Double) {
    self.isAsked = isAsked
    self.since = since
  }
}
