/// The error for a case whose arguments do not match its operator.
public struct FixtureArgumentError: Error, CustomStringConvertible {
  /// The problem and its remedy.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameter description: The problem and its remedy.
  public init(_ description: String) { self.description = description }
}
