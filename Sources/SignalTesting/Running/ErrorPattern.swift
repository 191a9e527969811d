/// A pattern for an expected error that is not known by value: any of a type, or any that satisfies a predicate.
///
/// A pattern can be passed wherever an expectation takes an error.
///
/// ```swift
/// struct ServerError: Error { var status: Int }
///
/// @Test func reportsThatTheServerIsBusy() {
///   marbles { m in
///     let answer = m.cold("--#", error: ServerError(status: 503))
///     m.expect(answer.signal, "--#", error: ErrorPattern.ofType(ServerError.self))
///     m.expect(
///       answer.signal, "--#busy",
///       errors: ["busy": ErrorPattern.of(ServerError.self, where: "the status is 503") { $0.status == 503 }])
///   }
/// }
/// ```
///
/// A pattern is an error only so that it can be passed as one. A source that sends it fails the test.
public struct ErrorPattern: Error, CustomStringConvertible {
  /// A description of the matching errors: `any ServerError where the status is 503`.
  public let description: String
  private let fits: @Sendable (any Error) -> Bool

  private init(_ description: String, fits: @escaping @Sendable (any Error) -> Bool) {
    self.description = description
    self.fits = fits
  }

  /// The errors of a type.
  ///
  /// - Parameter type: The type; of a class, its subclasses are included.
  public static func ofType<Failure: Error>(_ type: Failure.Type) -> ErrorPattern {
    ErrorPattern("any \(type)") { $0 is Failure }
  }

  /// The errors of a type that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - condition: A description of the predicate, for messages.
  ///   - predicate: Whether an error matches.
  public static func of<Failure: Error>(
    _ type: Failure.Type, where condition: String = "a predicate holds",
    _ predicate: @escaping @Sendable (Failure) -> Bool
  ) -> ErrorPattern {
    ErrorPattern("any \(type) where \(condition)") { ($0 as? Failure).map(predicate) ?? false }
  }

  /// The errors that satisfy a predicate.
  ///
  /// - Parameters:
  ///   - condition: A description of the predicate, for messages.
  ///   - predicate: Whether an error matches.
  public static func any(
    where condition: String = "a predicate holds", _ predicate: @escaping @Sendable (any Error) -> Bool
  ) -> ErrorPattern {
    ErrorPattern("any error where \(condition)", fits: predicate)
  }

  func matches(_ error: any Error) -> Bool { fits(error) }
}
