public import Signals

/// Where the events of an operator come.
public enum OperatorDelivery: Sendable {
  /// Inside `send`, on the sender's thread: law 5.
  case synchronous
  /// Some of them on the scheduler that is passed in, some inside `send`.
  case partlyScheduled
  /// All of them on the scheduler that is passed in: law 14.
  case scheduled
}

/// What an operator makes of a failure of its upstream.
public enum OperatorFailure<Output: Sendable>: Sendable {
  /// It passes the failure on.
  case isPassedOn
  /// It delivers these values in its place, and finishes.
  case isReplaced(by: [Output])
}

/// What an operator makes of values that come faster than it can pass them on, or than it wants to.
public enum OperatorLoad: Sendable {
  /// Each comes through.
  case everyValueComesThrough
  /// Some do not come through; none comes twice.
  case valuesMayBeDropped
}

/// An operator and what there is to know about it, for ``expectLaws(of:patience:fileID:filePath:line:column:)``.
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
/// Only the name and the closure are needed. Everything else narrows down what is expected:
/// - An operator with a closure of the user's calls ``OperatorInputs/visit(_:)`` in it; then it is also checked with a closure that throws, and one that
///   is busy while other threads act.
/// - An operator of time takes ``OperatorInputs/scheduler`` and waits for ``OperatorInputs/rest``, and declares its delivery.
/// - An operator with two inputs takes ``OperatorInputs/other`` as the second.
///
/// Values are compared with `==`; two that are not equal to themselves, such as NaN, count as the same.
public struct OperatorContract<Output: Sendable & Equatable>: Sendable {
  /// What messages call the operator.
  public var name: String
  /// Where its events come.
  public var delivery: OperatorDelivery
  /// What becomes of values that come fast.
  public var load: OperatorLoad
  /// What becomes of a failure.
  public var failure: OperatorFailure<Output>
  /// What is delivered inside `subscribe`, before the first value.
  public var atStart: [Output]
  /// What is delivered when the further input delivers ``OperatorInputs/firstOfOther``.
  public var atOther: [Output]
  /// What becomes of the upstream's values when there is time between them; nil if that is not to be checked.
  public var delivers: (@Sendable ([Int]) -> [Output])?
  /// What is delivered when the upstream has finished, before the end.
  public var atFinish: [Output]
  /// Checks that cannot hold for this operator, each with the reason.
  public var exemptions: [OperatorCheck: String]
  /// How long a `-` of the diagrams is. Values come five frames apart; ``OperatorInputs/rest`` is two frames.
  public var frame: Duration
  /// Creates the signal under test, for each run.
  public var build: @Sendable (_ upstream: Signal<Int>, _ inputs: OperatorInputs) -> Signal<Output>

  /// Describes an operator.
  ///
  /// - Parameters:
  ///   - name: What messages call it.
  ///   - delivery: Where its events come.
  ///   - load: What becomes of values that come fast. Looked at only when the delivery is not synchronous.
  ///   - failure: What becomes of a failure.
  ///   - atStart: What is delivered inside `subscribe`, before the first value.
  ///   - atOther: What is delivered when the further input delivers ``OperatorInputs/firstOfOther``.
  ///   - delivers: What becomes of the upstream's values when there is time between them, and how many have come so far; nil if that is not to be
  ///     checked.
  ///   - atFinish: What is delivered when the upstream has finished, before the end.
  ///   - exemptions: Checks that cannot hold, each with the reason. An exemption that is not needed fails the test.
  ///   - frame: How long a `-` of the diagrams is, for operators whose times are built in: values come five frames apart.
  ///   - build: Makes the signal under test. An operator that takes other values than `Int` is put behind a `map`.
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
