/// The times that values waited in a node for its scheduler or its task, while handlers were profiled. A sample of them
/// is measured: one at a time.
public struct WaitTimes: Codable, Hashable, Sendable {
  /// The number of measured values.
  public var values: UInt64
  /// Their total waiting time, in seconds.
  public var seconds: Double
  /// The longest waiting time, in seconds, including one that is still waiting.
  public var longest: Double

  /// Creates times.
  ///
  /// - Parameters:
  ///   - values: The number of measured values.
  ///   - seconds: Their total waiting time, in seconds.
  ///   - longest: The longest waiting time, in seconds.
  public init(values: UInt64 = 0, seconds: Double = 0, longest: Double = 0) {
    self.values = values
    self.seconds = seconds
    self.longest = longest
  }
}
