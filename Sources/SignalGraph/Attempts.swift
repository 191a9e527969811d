/// The attempts of a `retry`: the number of upstream failures, the last failure, and whether it is waiting for the next
/// attempt.
public struct Attempts: Codable, Hashable, Sendable {
  /// The number of failed attempts.
  public var failed: UInt64
  /// The description of the last failure.
  public var lastFailure: String
  /// The time of the last failure, in seconds since 1 January 1970 UTC.
  public var failedAt: Double
  /// The delay before the next attempt, in seconds, if it is waiting and the delay is known.
  public var delay: Double?

  /// Creates attempts.
  ///
  /// - Parameters:
  ///   - failed: The number of failed attempts.
  ///   - lastFailure: The description of the last failure.
  ///   - failedAt: The time of the last failure, in seconds since 1 January 1970 UTC.
  ///   - delay: The delay before the next attempt, in seconds, if it is waiting.
  public init(failed: UInt64, lastFailure: String, failedAt: Double, delay: Double? = nil) {
    self.failed = failed
    self.lastFailure = lastFailure
    self.failedAt = failedAt
    self.delay = delay
  }
}
