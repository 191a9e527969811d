public import Signals

/// The inputs of an operator under test besides its upstream.
public struct OperatorInputs: Sendable {
  /// The scheduler for a time-based operator. Its time is virtual.
  public let scheduler: any Scheduler
  /// The waiting time for a time-based operator: less than the time between two values of the checks.
  public let rest: Duration
  /// A further input, for operators that have one. It delivers ``firstOfOther`` before the upstream delivers anything.
  public let other: Signal<Int>
  private let visiting: @Sendable (Int) throws -> Void

  /// The first value of ``other``.
  public static let firstOfOther = 9

  /// Creates the inputs.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler for a time-based operator.
  ///   - rest: The waiting time for such an operator.
  ///   - other: A further input.
  ///   - visiting: The body of ``visit(_:)``.
  public init(
    scheduler: any Scheduler, rest: Duration, other: Signal<Int>,
    visiting: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) {
    self.scheduler = scheduler
    self.rest = rest
    self.other = other
    self.visiting = visiting
  }

  /// Represents the user's code in the closure of an operator: the contract calls it there. An error that it throws when the
  /// source has finished is not checked.
  ///
  /// - Parameter value: The value that the closure was given.
  /// - Throws: If a check requires the closure to throw.
  public func visit(_ value: Int) throws { try visiting(value) }
}
