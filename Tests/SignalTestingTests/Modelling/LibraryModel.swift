import Signals
import Testing

@testable import SignalTesting

/// An operator of the library with its reference.
struct LibraryModel: Sendable, CustomTestStringConvertible {
  /// The row of the catalogue, or several with `and` between them; behind a comma, how it is used.
  let name: String
  let otherCount: Int
  let innerCount: Int
  let build: @Sendable (Signal<Int>, ModelInputs) -> Signal<Int>
  let reference: @Sendable ([TimedEvent<Int>], ModelEvents) -> [TimedEvent<Int>]

  init(
    _ name: String, others: Int = 0, inners: Int = 0,
    _ build: @escaping @Sendable (_ upstream: Signal<Int>, _ inputs: ModelInputs) -> Signal<Int>,
    reference: @escaping @Sendable (_ events: [TimedEvent<Int>], _ inputs: ModelEvents) -> [TimedEvent<Int>]
  ) {
    self.name = name
    otherCount = others
    innerCount = inners
    self.build = build
    self.reference = reference
  }

  /// The part of a chain alone.
  init(_ part: ModelOperator) {
    self.init(part.name, others: part.otherCount, part.build, reference: part.reference)
  }

  var testDescription: String { name }

  /// The rows of the catalogue that this is a model of.
  var rows: [String] {
    name.prefix { $0 != "," }.split(separator: " and ").map(String.init)
  }

  /// Compares a chain with the reference: that of the operator, or another one.
  @discardableResult
  func check(
    seeds: ClosedRange<UInt64> = 0...99, _ other: (@Sendable (Signal<Int>, ModelInputs) -> Signal<Int>)? = nil
  ) -> ModelRuns {
    expectModel(
      of: name, others: otherCount, inners: innerCount, seeds: seeds, other ?? build, reference: reference)
  }
}

extension ModelInputs {
  /// Makes a signal of a value: one of those that start anew for every subscriber.
  var inner: @Sendable (Int) -> Signal<Int> { { [inners] value in inners[value % inners.count] } }
}

extension ModelEvents {
  func inner(_ value: Int) -> [TimedEvent<Int>] { inners[value % inners.count] }
}
