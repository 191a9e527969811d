package import SignalTesting
package import Signals

/// A chain in which nothing leaks when it is used as it should be, whether or not it ends with its source.
package struct LeakChain: Sendable, CustomStringConvertible {
  package let description: String
  /// Whether it has ended once it has been subscribed to, so that nobody need dispose it.
  package let endsAtOnce: Bool
  package let build: @Sendable (_ upstream: Signal<Int>, _ inputs: OperatorInputs) -> Signal<Int>

  package init(
    _ description: String, endsAtOnce: Bool = false,
    _ build: @escaping @Sendable (_ upstream: Signal<Int>, _ inputs: OperatorInputs) -> Signal<Int>
  ) {
    self.description = description
    self.endsAtOnce = endsAtOnce
    self.build = build
  }
}
