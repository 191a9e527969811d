/// What a subscriber's handler took, with the operators above it that ran in the same calls, of the time in which handlers were traced.
///
/// Of the operators those count that are below a hop, or below another operator that gets values on the handler's thread.
public struct HandlerTimes: Codable, Hashable, Sendable {
  /// How often the handler was called.
  public var calls: UInt64
  /// How long it ran altogether, in seconds.
  public var seconds: Double
  /// How long of ``seconds`` it kept the main thread. On Linux, a call that never blocked counts with its CPU time, so a busy machine does not add to it.
  public var mainSeconds: Double
  /// The CPU time of ``mainSeconds``, in seconds; the rest of it, the handler waited or the machine was busy. Nil where the system does not say, as on
  /// Apple platforms.
  public var mainCPUSeconds: Double?
  /// The longest call, in seconds.
  public var longest: Double

  /// Makes times.
  ///
  /// - Parameters:
  ///   - calls: How often it was called.
  ///   - seconds: How long it ran altogether, in seconds.
  ///   - mainSeconds: How long it ran on the main thread, in seconds.
  ///   - longest: The longest call, in seconds.
  public init(calls: UInt64 = 0, seconds: Double = 0, mainSeconds: Double = 0, longest: Double = 0) {
    self.calls = calls
    self.seconds = seconds
    self.mainSeconds = mainSeconds
    self.longest = longest
  }
}
