/// The response to `/trace`.
public struct TraceAnswer: Codable, Hashable, Sendable {
  /// The number of seconds from now for which handlers are profiled.
  public var seconds: Int

  /// Creates a response.
  ///
  /// - Parameter seconds: The number of seconds for which handlers are profiled.
  public init(seconds: Int) {
    self.seconds = seconds
  }
}
