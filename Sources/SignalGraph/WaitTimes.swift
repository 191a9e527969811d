/// How long values waited in a node for its scheduler or its task, of the time in which handlers were traced. Some of them are measured: one at a time.
public struct WaitTimes: Codable, Hashable, Sendable {
  /// How many values were measured.
  public var values: UInt64
  /// How long these waited altogether, in seconds.
  public var seconds: Double
  /// The longest that one of them waited, in seconds; also one that still waits.
  public var longest: Double

  /// Makes times.
  ///
  /// - Parameters:
  ///   - values: How many values were measured.
  ///   - seconds: How long these waited altogether, in seconds.
  ///   - longest: The longest that one waited, in seconds.
  public init(values: UInt64 = 0, seconds: Double = 0, longest: Double = 0) {
    self.values = values
    self.seconds = seconds
    self.longest = longest
  }
}
