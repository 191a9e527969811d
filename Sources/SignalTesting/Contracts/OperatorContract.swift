public import Signals

/// The thread on which an operator delivers its events.
public enum OperatorDelivery: Sendable {
  /// Inside `send`, on the sender's thread: law 5.
  case synchronous
  /// Some of them on the passed scheduler, some inside `send`.
  case partlyScheduled
  /// All of them on the passed scheduler: law 14.
  case scheduled
}

/// An operator's response to a failure of its upstream.
public enum OperatorFailure<Output: Sendable>: Sendable {
  /// It passes the failure on.
  case isPassedOn
  /// It delivers these values instead, and finishes.
  case isReplaced(by: [Output])
}

/// An operator's response to values that come faster than it passes them on.
public enum OperatorLoad: Sendable {
  /// Each value is delivered. Values that still wait when the source fails are not checked: the operator may drop them.
  case everyValueComesThrough
  /// Some values are dropped; none is duplicated.
  case valuesMayBeDropped
  /// Values that arrive at one instant may become one, as with `collect(for:on:)`.
  case valuesMayBeCombined
}

/// An operator and its declared properties, for ``expectLaws(of:patience:fileID:filePath:line:column:)``.
///
/// ```swift
/// let contract = OperatorContract("sums", delivers: { values in values.indices.map { values[...$0].reduce(0, +) } }) { upstream, inputs in
///   upstream.scan(0) { sum, value in
///     try inputs.visit(value)
///     return sum + value
///   }
/// }
/// ```
///
/// Only the name and the closure are required. Everything else narrows the expectation:
/// - An operator with a user's closure calls ``OperatorInputs/visit(_:)`` in it; then it is also checked with a closure
///   that throws, and one that is busy while other threads act.
/// - A time-based operator takes ``OperatorInputs/scheduler`` and waits for ``OperatorInputs/rest``, and declares its
///   delivery.
/// - An operator with two inputs takes ``OperatorInputs/other`` as the second.
///
/// Values are compared with `==`; two that are not equal to themselves, such as NaN, count as equal. Objects are compared when a
/// run is over, not on arrival.
public struct OperatorContract<Output: Sendable & Equatable>: Sendable {
  /// The operator's name in messages.
  public var name: String
  /// The thread on which it delivers.
  public var delivery: OperatorDelivery
  /// The response to rapid values.
  public var load: OperatorLoad
  /// The response to a failure.
  public var failure: OperatorFailure<Output>
  /// The values delivered inside `subscribe`, before the first value of the upstream.
  public var atStart: [Output]
  /// The values delivered when the further input delivers ``OperatorInputs/firstOfOther``.
  public var atOther: [Output]
  /// The output for values of the upstream with time between them; nil to skip this check.
  public var delivers: (@Sendable ([Int]) -> [Output])?
  /// The values delivered when the upstream has finished, before the end.
  public var atFinish: [Output]
  /// Checks that do not apply to this operator, each with the reason.
  public var exemptions: [OperatorCheck: String]
  /// The length of a `-` in the diagrams. Values come five frames apart; ``OperatorInputs/rest`` is two frames.
  public var frame: Duration
  /// Creates the signal under test, for each run.
  public var build: @Sendable (_ upstream: Signal<Int>, _ inputs: OperatorInputs) -> Signal<Output>

  /// Describes an operator.
  ///
  /// - Parameters:
  ///   - name: The operator's name in messages.
  ///   - delivery: The thread on which it delivers.
  ///   - load: The response to rapid values. Used only if the delivery is not synchronous.
  ///   - failure: The response to a failure.
  ///   - atStart: The values delivered inside `subscribe`, before the first value of the upstream.
  ///   - atOther: The values delivered when the further input delivers ``OperatorInputs/firstOfOther``.
  ///   - delivers: The output for the values of the upstream so far, with time between them; nil to skip this check.
  ///   - atFinish: The values delivered when the upstream has finished, before the end.
  ///   - exemptions: Checks that do not apply, each with the reason. A superfluous exemption fails the test.
  ///   - frame: The length of a `-` in the diagrams, for operators with built-in times: values come five frames apart.
  ///   - build: Creates the signal under test. Put a `map` in front of an operator that takes other values than `Int`.
  public init(
    _ name: String, delivery: OperatorDelivery = .synchronous, load: OperatorLoad = .everyValueComesThrough,
    failure: OperatorFailure<Output> = .isPassedOn, atStart: [Output] = [], atOther: [Output] = [],
    delivers: (@Sendable ([Int]) -> [Output])? = nil, atFinish: [Output] = [],
    exemptions: [OperatorCheck: String] = [:], frame: Duration = .milliseconds(1),
    _ build: @escaping @Sendable (_ upstream: Signal<Int>, _ inputs: OperatorInputs) -> Signal<Output>
  ) {
    self.name = name
    self.delivery = delivery
    self.load = load
    self.failure = failure
    self.atStart = atStart
    self.atOther = atOther
    self.delivers = delivers
    self.atFinish = atFinish
    self.exemptions = exemptions
    self.frame = frame
    self.build = build
  }
}
