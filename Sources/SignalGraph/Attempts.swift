/// What a `retry` has tried: how often what is above it failed, with what, and whether it waits before it tries again.
public struct Attempts: Codable, Hashable, Sendable {
  /// How many attempts have failed.
  public var failed: UInt64
  /// The last of these failures, as text.
  public var lastFailure: String
  /// When that was, in seconds since 1 January 1970 UTC.
  public var failedAt: Double
  /// How long it waits before the next attempt, in seconds, if it does right now and that is known.
  public var delay: Double?

  /// Makes attempts.
  ///
  /// - Parameters:
  ///   - failed: How many have failed.
  ///   - lastFailure: The last of these failures, as text.
  ///   - failedAt: When that was, in seconds since 1 January 1970 UTC.
  ///   - delay: How long it waits before the next attempt, in seconds, if it does right now.
  public init(failed: UInt64, lastFailure: String, failedAt: Double, delay: Double? = nil) {
    self.failed = failed
    self.lastFailure = lastFailure
    self.failedAt = failedAt
    self.delay = delay
  }
}
