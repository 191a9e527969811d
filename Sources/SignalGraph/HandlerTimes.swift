/// The times of a subscriber's handler, with those of the operators above it that ran in the same calls, while handlers
/// were profiled.
///
/// The operators included are those below a hop, or below another operator that gets values on the handler's thread.
public struct HandlerTimes: Codable, Hashable, Sendable {
  /// The number of calls of the handler.
  public var calls: UInt64
  /// The total time, in seconds.
  public var seconds: Double
  /// The part of ``seconds`` on the main thread. On Linux, a call that never blocked counts with its CPU time, so a
  /// busy machine does not add to it.
  public var mainSeconds: Double
  /// The CPU time of ``mainSeconds``, in seconds; the rest of it, the handler waited or the machine was busy. Nil where the system does not say, as on
  /// Apple platforms.
  public var mainCPUSeconds: Double?
  /// The longest call, in seconds.
  public var longest: Double

  /// Creates times.
  ///
  /// - Parameters:
  ///   - calls: The number of calls.
  ///   - seconds: The total time, in seconds.
  ///   - mainSeconds: The time on the main thread, in seconds.
  ///   - longest: The longest call, in seconds.
  public init(calls: UInt64 = 0, seconds: Double = 0, mainSeconds: Double = 0, longest: Double = 0) {
    self.calls = calls
    self.seconds = seconds
    self.mainSeconds = mainSeconds
    self.longest = longest
  }
}
