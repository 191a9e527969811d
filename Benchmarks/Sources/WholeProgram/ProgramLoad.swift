import Dispatch
import Foundation
import Measuring
import Signals

/// Work of a whole program: several emitters, and several subscribers of each.
struct ProgramLoad: Sendable {
  /// What the work does, once it is set up.
  struct Work {
    /// Does so many operations.
    let perform: (Int) -> Void
    /// The sum of what arrived, for comparison between a program with the graph and one without.
    let result: () -> Int
  }

  let name: String
  /// How many operations a turn does.
  let operations: Int
  /// At least this share of the throughput without the graph is aimed at.
  let goal: Double
  /// Sets up and returns what does the work.
  let prepare: @Sendable () -> Work

  static let all = [
    values, valuesOfTwo, lifetimes(of: "10 operators", ProgramChains.chain),
    lifetimes(of: "3 operators", Chains.signals), lifetimesOnThreads,
  ]

  private static let emitterCount = 8
  private static let subscriberCount = 4

  /// One operation is one value that reaches one subscriber.
  static let values = ProgramLoad(name: "values through 10 operators", operations: 4_000_000, goal: 0.9) {
    let sum = Sum()
    let emitters = (0..<emitterCount).map { _ in Emitter<Int>() }
    let kept = emitters.flatMap { emitter in
      (0..<subscriberCount).map { _ in ProgramChains.chain(emitter.signal).subscribe { sum.value &+= $0 } }
    }
    return Work(
      perform: { count in
        for value in 0..<count / (emitterCount * subscriberCount) { for emitter in emitters { emitter.send(value) } }
      }, result: { withExtendedLifetime(kept) { sum.value } })
  }

  private static let valuesOfTwo = ProgramLoad(
    name: "values through 10 operators, one of them combineLatest", operations: 4_000_000, goal: 0.9
  ) {
    let sum = Sum()
    let emitters = (0..<emitterCount).map { _ in Emitter<Int>() }
    let kept = emitters.indices.flatMap { index in
      (0..<subscriberCount).map { _ in
        ProgramChains.chain(emitters[index].signal, emitters[(index + 1) % emitterCount].signal)
          .subscribe { sum.value &+= $0 }
      }
    }
    return Work(
      // Each value goes to four subscribers by way of the first input, and to four by way of the second.
      perform: { count in
        for value in 0..<count / (emitterCount * subscriberCount * 2) {
          for emitter in emitters { emitter.send(value) }
        }
      }, result: { withExtendedLifetime(kept) { sum.value } })
  }

  /// One operation makes a subscription and disposes it; others are alive.
  private static func lifetimes(
    of what: String, _ chain: @escaping @Sendable (Signal<Int>) -> Signal<Int>
  ) -> ProgramLoad {
    ProgramLoad(name: "subscribe and dispose \(what)", operations: 400_000, goal: 0.6) {
      let sum = Sum()
      let emitters = (0..<emitterCount).map { _ in Emitter<Int>() }
      let signals = emitters.map { chain($0.signal) }
      let kept = signals.flatMap { signal in
        (0..<subscriberCount).map { _ in signal.subscribe { sum.value &+= $0 } }
      }
      return Work(
        perform: { count in
          for _ in 0..<count / emitterCount {
            for signal in signals { signal.subscribe { sum.value &+= $0 }.dispose() }
          }
        },
        result: {
          withExtendedLifetime(kept) {
            for value in 0..<10 { for emitter in emitters { emitter.send(value) } }
            return sum.value
          }
        })
    }
  }

  /// The same on four threads, each with emitters of its own.
  private static let lifetimesOnThreads = ProgramLoad(
    name: "subscribe and dispose 10 operators, on 4 threads", operations: 400_000, goal: 0.6
  ) {
    let threadCount = 4
    let sums = (0..<threadCount).map { _ in Sum() }
    let emitters = (0..<threadCount).map { _ in Emitter<Int>() }
    let signals = emitters.map { ProgramChains.chain($0.signal) }
    return Work(
      perform: { count in
        DispatchQueue.concurrentPerform(iterations: threadCount) { index in
          let (signal, sum) = (signals[index], sums[index])
          for _ in 0..<count / threadCount { signal.subscribe { sum.value &+= $0 }.dispose() }
        }
      }, result: { withExtendedLifetime(emitters) { sums.reduce(0) { $0 &+ $1.value } } })
  }
}
