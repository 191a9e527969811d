import CAllocationCounter
import Measuring
import OperatorCatalogue
import Signals

/// What one subscription and one value allocate.
package struct OperatorCost: Codable {
  /// Heap blocks that are allocated to make the chain and to subscribe, those that are freed at once included.
  package var blocksMade: Double
  /// What stays while the subscription lives.
  package var live: LiveMemory
  /// Heap blocks per value.
  package var blocksPerValue: Double?

  package static func - (left: OperatorCost, right: OperatorCost) -> OperatorCost {
    OperatorCost(
      blocksMade: left.blocksMade - right.blocksMade,
      live: left.live - right.live,
      blocksPerValue: left.blocksPerValue.flatMap { own in right.blocksPerValue.map { own - $0 } ?? own })
  }
}

/// What an operator costs with the graph off and on.
package struct OperatorResult: Codable {
  package var name: String
  package var kind: OperatorEntry.Kind
  package var off: OperatorCost
  package var on: OperatorCost

  /// Measures everything in the catalogue. What a bare subscription costs stands first, and is subtracted from operators.
  package static func measured() -> [OperatorResult] {
    let (off, on) = CostSample.bare.measured()
    let bare = OperatorResult(name: "subscribe", kind: .source, off: off, on: on)
    let others = OperatorCatalogue.all.flatMap { entry in
      entry.costs.map { sample in
        let (off, on) = sample.measured()
        let isOperator = entry.kind == .operator
        return OperatorResult(
          name: sample.name, kind: entry.kind, off: isOperator ? off - bare.off : off,
          on: isOperator ? on - bare.on : on)
      }
    }
    return [bare] + others
  }
}

extension CostSample {
  /// A subscription without an operator.
  fileprivate static let bare = CostSample { $0.first.signal.subscribe { _ in } }

  private static let subscriptions = 1_000
  private static let values = 1_000

  /// Measures with the graph off and on.
  package func measured() -> (off: OperatorCost, on: OperatorCost) {
    (cost(), GraphRecorder(endedLimit: 0).record { cost() })
  }

  private func cost() -> OperatorCost {
    // Once beforehand, so that what is made once in a process is not counted.
    let warm = CostRig()
    let warmed = subscribe(warm)
    (0..<10).forEach { send($0, warm) }
    warmed.dispose()

    let rig = CostRig()
    var kept: [AnyObject] = []
    kept.reserveCapacity(Self.subscriptions)
    let before = allocation_count()
    let live = LiveMemory.left(per: Self.subscriptions) {
      for _ in 0..<Self.subscriptions { kept.append(subscribe(rig)) }
      return kept
    }
    let made = Double(allocation_count() - before) / Double(Self.subscriptions)
    return OperatorCost(blocksMade: made, live: live, blocksPerValue: blocksPerValue())
  }

  private func blocksPerValue() -> Double? {
    guard pace != .none else { return nil }
    let rig = CostRig()
    let subscription = subscribe(rig)
    // The first values fill buffers that are kept.
    for value in 0..<Self.values { send(value, rig) }
    count_allocations(true)
    let before = allocation_count()
    for value in 0..<Self.values { send(value, rig) }
    let blocks = allocation_count() - before
    count_allocations(false)
    return withExtendedLifetime(subscription) { Double(blocks) / Double(Self.values) }
  }
}
