package import SignalTesting
package import Signals

/// A way to use an operator.
package struct OperatorForm: Sendable, CustomStringConvertible {
  /// What is told apart: nil for the plain way.
  private let label: String?
  /// What it is and what it promises; the name is the operator's with the label.
  package private(set) var contract: OperatorContract<Int>
  /// What becomes of values that come fast and from several threads.
  package let passage: Passage
  /// Whether it delivers nothing, or not everything, before the further input has delivered something.
  package let waitsForOther: Bool
  /// Whether everything comes where the upstream delivers.
  package let keepsPlace: Bool
  /// Whether it subscribes to its upstream again after a failure.
  package let resubscribes: Bool
  /// Whether values of several senders may change places on their way.
  package let mixesSenders: Bool
  /// Whether it stays subscribed to its upstream when its last subscriber has left, as long as somebody keeps the signal.
  package let outlivesSubscribers: Bool
  /// Whether who subscribes to the signal again after its end gets values once more.
  package let remembersValues: Bool

  package init(
    _ label: String? = nil, passage: Passage = .each, waitsForOther: Bool = false, keepsPlace: Bool = false,
    resubscribes: Bool = false, mixesSenders: Bool = false, outlivesSubscribers: Bool = false,
    remembersValues: Bool = false,
    delivery: OperatorDelivery = .synchronous, load: OperatorLoad = .everyValueComesThrough,
    failure: OperatorFailure<Int> = .isPassedOn, atStart: [Int] = [], atOther: [Int] = [],
    delivers: @escaping @Sendable ([Int]) -> [Int] = { $0 }, atFinish: [Int] = [],
    exemptions: [OperatorCheck: String] = [:],
    _ build: @escaping @Sendable (_ upstream: Signal<Int>, _ inputs: OperatorInputs) -> Signal<Int>
  ) {
    self.label = label
    self.passage = passage
    self.waitsForOther = waitsForOther
    self.keepsPlace = keepsPlace
    self.resubscribes = resubscribes
    self.mixesSenders = mixesSenders
    self.outlivesSubscribers = outlivesSubscribers
    self.remembersValues = remembersValues
    contract = OperatorContract(
      label ?? "", delivery: delivery, load: load, failure: failure, atStart: atStart, atOther: atOther,
      delivers: delivers, atFinish: atFinish, exemptions: exemptions, build)
  }

  /// The same form of an operator that has this name.
  package func named(_ name: String) -> OperatorForm {
    var form = self
    form.contract.name = label.map { "\(name): \($0)" } ?? name
    return form
  }

  package var description: String { contract.name }
}

/// What becomes of distinct values that pass an operator, however many threads send them and however fast. What the operator adds of its own,
/// or from the further input, does not count; a value may be changed by up to ``largestChange``.
package enum Passage: Sendable {
  /// Each comes through once, in order.
  case each
  /// Each comes through twice, in order.
  case copied
  /// Each comes through once the further input has delivered; any number of times in a row.
  case repeated
  /// For each comes the sum of it and of all before it.
  case summed
  /// Each comes through once, in any order.
  case shuffled
  /// Some do not come through; the others do once, in order.
  case some

  /// How much larger a value may come out.
  package static let largestChange = 100
}
