/// The answer to `/trace`.
public struct TraceAnswer: Codable, Hashable, Sendable {
  /// For how many seconds from now it is traced what handlers do.
  public var seconds: Int

  /// Makes an answer.
  ///
  /// - Parameter seconds: For how many seconds handlers are traced.
  public init(seconds: Int) {
    self.seconds = seconds
  }
}
