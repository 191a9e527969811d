import CAllocationCounter
import Measuring
import Signals

/// What an operator is tried on.
package struct Rig: Sendable {
  package let first = Emitter<Int>()
  package let second = Emitter<Int>()
  package let scheduler = VirtualTimeScheduler()
}

/// One operator or source, and how a value is sent through it.
package struct OperatorSample: Sendable {
  package enum Kind: String, Codable, Sendable {
    /// Stands between a source and a subscriber: what a bare subscription costs is subtracted.
    case `operator`
    /// Stands alone: the cost is that of the whole subscription.
    case source
  }

  package let name: String
  /// The file of the library that it is in, to see that none is forgotten; nil for the core's own.
  package let file: String?
  package let kind: Kind
  /// Makes the chain and subscribes to it, as a user writes it.
  package let subscribe: @Sendable (Rig) -> Subscription
  /// Sends one value; nil when the source sends by itself.
  package let send: (@Sendable (Rig, Int) -> Void)?
}

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
  package var kind: OperatorSample.Kind
  package var off: OperatorCost
  package var on: OperatorCost

  /// Measures everything in the catalogue. What a bare subscription costs stands first, and is subtracted from operators.
  package static func measured() -> [OperatorResult] {
    let bare = OperatorCatalogue.bare.measured()
    let others = OperatorCatalogue.all.map { sample in
      let (off, on) = sample.measured()
      let isOperator = sample.kind == .operator
      return OperatorResult(
        name: sample.name, kind: sample.kind, off: isOperator ? off - bare.off : off,
        on: isOperator ? on - bare.on : on)
    }
    return [OperatorResult(name: OperatorCatalogue.bare.name, kind: .source, off: bare.off, on: bare.on)] + others
  }
}

extension OperatorSample {
  private static let subscriptions = 1_000
  private static let values = 1_000

  /// Measures with the graph off and on.
  package func measured() -> (off: OperatorCost, on: OperatorCost) {
    (cost(), GraphRecorder(endedLimit: 0).record { cost() })
  }

  private func cost() -> OperatorCost {
    // Once beforehand, so that what is made once in a process is not counted.
    let warm = Rig()
    let warmed = subscribe(warm)
    (0..<10).forEach { send?(warm, $0) }
    warmed.dispose()

    let rig = Rig()
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
    guard let send else { return nil }
    let rig = Rig()
    let subscription = subscribe(rig)
    // The first values fill buffers that are kept.
    for value in 0..<Self.values { send(rig, value) }
    count_allocations(true)
    let before = allocation_count()
    for value in 0..<Self.values { send(rig, value) }
    let blocks = allocation_count() - before
    count_allocations(false)
    return withExtendedLifetime(subscription) { Double(blocks) / Double(Self.values) }
  }
}
