/// A case whose arguments do not fit its operator.
public struct FixtureArgumentError: Error, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String

  /// Makes the error.
  ///
  /// - Parameter description: What is wrong and what to do.
  public init(_ description: String) { self.description = description }
}
