public import Signals

/// What an operator under test may use besides its upstream.
public struct OperatorInputs: Sendable {
  /// Where an operator of time gets its time from. It is virtual.
  public let scheduler: any Scheduler
  /// How long an operator of time waits: less than the time between two values of the checks.
  public let rest: Duration
  /// A further input, for operators that have one. It delivers ``firstOfOther`` before the upstream delivers anything.
  public let other: Signal<Int>
  private let visiting: @Sendable (Int) throws -> Void

  /// What ``other`` delivers first.
  public static let firstOfOther = 9

  /// Makes the inputs.
  ///
  /// - Parameters:
  ///   - scheduler: Where an operator of time gets its time from.
  ///   - rest: How long such an operator waits.
  ///   - other: A further input.
  ///   - visiting: What ``visit(_:)`` does.
  public init(
    scheduler: any Scheduler, rest: Duration, other: Signal<Int>,
    visiting: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) {
    self.scheduler = scheduler
    self.rest = rest
    self.other = other
    self.visiting = visiting
  }

  /// Stands for what users write into the closure of an operator: the contract calls it there.
  ///
  /// - Parameter value: The value that the closure was given.
  /// - Throws: Where a check wants the closure to throw.
  public func visit(_ value: Int) throws { try visiting(value) }
}
