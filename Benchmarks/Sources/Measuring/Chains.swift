import Limits
import OpenCombine
import Signals

/// The same chain of three operators, by everybody: one more, unless that is seven, times three.
package enum Chains {
  package static func signals(_ source: Signal<Int>) -> Signal<Int> {
    source.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }
  }

  package static func openCombine(
    _ source: PassthroughSubject<Int, Never>
  ) -> Publishers.Map<Publishers.Filter<Publishers.Map<PassthroughSubject<Int, Never>, Int>>, Int> {
    source.map { $0 &+ 1 }.filter { $0 != 7 }.map { $0 &* 3 }
  }

  /// By hand, with a closure for each hop.
  package static func closures(_ emitter: SlotEmitter, _ sum: Sum) -> SlotToken {
    let last = ClosureHops.map({ sum.value &+= $0 }, { $0 &* 3 })
    return emitter.subscribe(ClosureHops.map(ClosureHops.filter(last, { $0 != 7 }), { $0 &+ 1 }))
  }

  /// By hand, with an object for each hop.
  package static func hops(_ emitter: SlotEmitter, _ sum: Sum) -> SlotToken {
    let last = MapHop(SinkHop { sum.value &+= $0 }, { $0 &* 3 })
    return emitter.subscribe(hops: MapHop(FilterHop(last) { $0 != 7 }) { $0 &+ 1 })
  }
}
