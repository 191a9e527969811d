package import Signals

/// What a row of the operator table may use besides its upstream.
package struct OperatorContext: Sendable {
  package let scheduler: any Scheduler
  /// How long operators of time wait.
  package let rest: Duration
  /// A further input. The law tests send 100 to it first, and finish it before the upstream.
  package let other: Signal<Int>
  /// Called in the operator's closure, where it has one; may throw.
  package let visit: @Sendable (Int) throws -> Void

  package init(
    scheduler: any Scheduler, rest: Duration = .milliseconds(5), other: Signal<Int>,
    visit: @escaping @Sendable (Int) throws -> Void
  ) {
    self.scheduler = scheduler
    self.rest = rest
    self.other = other
    self.visit = visit
  }
}

/// What becomes of distinct values that pass an operator, however many threads send them and however fast. What the operator adds of its own,
/// or from the further input, does not count; a value may be changed by up to 100.
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
}

/// One operator, and what the checks have to know about it.
package struct OperatorRow: Sendable, CustomStringConvertible {
  package let name: String
  /// What holds for values that come fast and from several threads.
  package let passage: Passage
  /// What becomes of values that come 100 ms apart, each long after the one before.
  package let model: @Sendable ([Int]) -> [Int]
  /// Whether a failure of the upstream is replaced by the regular end after one more value, 99.
  package let recovers: Bool
  /// Whether the operator calls a closure that may throw.
  package let throwing: Bool
  /// Whether the operator cannot stop an endless source that delivers everything at once, because it needs time.
  package let timed: Bool
  /// Whether it delivers nothing, or not everything, before the further input has delivered something.
  package let needsOther: Bool
  /// Whether values that come faster than every 100 ms are lost.
  package let lossy: Bool
  /// Whether everything that it delivers comes on the scheduler.
  package let hops: Bool
  /// Whether everything comes where the upstream delivers.
  package let keepsPlace: Bool
  package let apply: @Sendable (Signal<Int>, OperatorContext) -> Signal<Int>

  package var description: String { name }

  package init(
    _ name: String, passage: Passage = .each, recovers: Bool = false, throwing: Bool = false, timed: Bool = false,
    lossy: Bool = false, needsOther: Bool = false, hops: Bool = false, keepsPlace: Bool = false,
    model: @escaping @Sendable ([Int]) -> [Int] = { $0 },
    _ apply: @escaping @Sendable (Signal<Int>, OperatorContext) -> Signal<Int>
  ) {
    self.name = name
    self.passage = passage
    self.recovers = recovers
    self.throwing = throwing
    self.timed = timed
    self.needsOther = needsOther
    self.lossy = lossy
    self.hops = hops
    self.keepsPlace = keepsPlace
    self.model = model
    self.apply = apply
  }
}
