import Measuring
import Signals

extension Curve {
  package static let all = [subscribers, chainLength, liveSubscriptions, timers, snapshotNodes, bag]

  /// How many repetitions of an operation on `size` things one round does.
  private static func repetitions(_ size: Int, budget: Int = 200_000) -> Int { max(1, budget / size) }

  package static let subscribers = Curve(
    name: "subscribers", title: "Sending one value", axis: "subscribers", growth: .linear,
    sizes: [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
  ) { size in
    let sum = Sum()
    let emitter = Emitter<Int>()
    let kept = (0..<size).map { _ in emitter.signal.subscribe { sum.value &+= $0 } }
    return {
      withExtendedLifetime(kept) { Stopwatch.nanoseconds(repeating: repetitions(size)) { emitter.send($0) } }
    }
  }

  package static let chainLength = Curve(
    name: "chain-length", title: "Sending one value through a chain of maps", axis: "maps", growth: .linear,
    sizes: [1, 3, 10, 30, 100, 300, 1_000]
  ) { size in
    let sum = Sum()
    let emitter = Emitter<Int>()
    let chain = (0..<size).reduce(emitter.signal) { signal, step in signal.map { $0 &+ step } }
    let kept = chain.subscribe { sum.value &+= $0 }
    return {
      withExtendedLifetime(kept) { Stopwatch.nanoseconds(repeating: repetitions(size)) { emitter.send($0) } }
    }
  }

  package static let liveSubscriptions = Curve(
    name: "live-subscriptions", title: "Subscribing and disposing one chain of three operators",
    axis: "other live subscriptions", growth: .constant,
    sizes: [10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
  ) { size in
    let sum = Sum()
    let emitter = Emitter<Int>()
    let kept = (0..<size).map { _ in emitter.signal.subscribe { sum.value &+= $0 } }
    let chain = Chains.signals(emitter.signal)
    return {
      withExtendedLifetime(kept) {
        Stopwatch.nanoseconds(repeating: 5_000) { _ in chain.subscribe { sum.value &+= $0 }.dispose() }
      }
    }
  }

  package static let timers = Curve(
    name: "timers", title: "Scheduling timers in virtual time and running them all", axis: "timers",
    growth: .linearLogarithmic, sizes: [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
  ) { size in
    let sum = Sum()
    return {
      Stopwatch.nanoseconds(repeating: repetitions(size, budget: 100_000)) { _ in
        let scheduler = VirtualTimeScheduler()
        var state: UInt64 = 0x5EED
        for _ in 0..<size {
          // Knuth's multiplier: moments without an order, the same on every run.
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          _ = scheduler.schedule(after: .nanoseconds(Int64(state >> 34))) { sum.value &+= 1 }
        }
        try? scheduler.run()
      }
    }
  }

  package static let snapshotNodes = Curve(
    name: "snapshot-nodes", title: "Taking a snapshot of the live graph", axis: "nodes", growth: .linear,
    sizes: [10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
  ) { size in
    let sum = Sum()
    let graph = RecordedGraph(nodes: size)
    return {
      Stopwatch.nanoseconds(repeating: repetitions(size, budget: 50_000)) { _ in
        sum.value &+= graph.recorder.snapshot().nodes.count
      }
    }
  }

  package static let bag = Curve(
    name: "dispose-bag", title: "Disposing a bag of subscriptions to one emitter", axis: "subscriptions in the bag",
    growth: .linear, sizes: [10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
  ) { size in
    let sum = Sum()
    let emitter = Emitter<Int>()
    return {
      let count = repetitions(size, budget: 100_000)
      let bags = (0...count).map { _ in
        let bag = DisposeBag()
        for _ in 0..<size { bag += emitter.signal.subscribe { sum.value &+= $0 } }
        return bag
      }
      return Stopwatch.nanoseconds(repeating: count) { bags[$0].disposeAll() }
    }
  }
}
