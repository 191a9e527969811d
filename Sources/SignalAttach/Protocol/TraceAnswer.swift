/// The response to `/trace`.
package struct TraceAnswer: Codable, Hashable, Sendable {
  /// The number of seconds from now for which handlers are profiled.
  package var seconds: Int

  /// Creates a response.
  ///
  /// - Parameter seconds: The number of seconds for which handlers are profiled.
  package init(seconds: Int) {
    self.seconds = seconds
  }
}
