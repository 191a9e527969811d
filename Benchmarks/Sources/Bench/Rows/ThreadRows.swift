import Limits
import Measuring
import OpenCombine
import Results
import Signals
import Synchronization

/// Several threads use one emitter at the same time.
enum ThreadRows {
  static let all = [twoSenders, eightSubscribers]

  private static let other = 1 << 32

  /// One sends 1, the other 2^32, so that the sum tells how many values of each thread arrived.
  static let twoSenders = Row(
    "two threads into one emitter", operations: 200_000, goals: Goals(timesLimit: 1.5),
    expected: { $0 / 2 * (1 + other) },
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { count in
            TwoThreads.run { index in
              for _ in 0..<count / 2 { emitter.send(index == 0 ? 1 : other) }
            }
          },
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
      .limit {
        let sum = Sum()
        let emitter = ClosureEmitter<Int>()
        emitter.add { sum.value &+= $0 }
        return Row.Run(
          perform: { count in
            TwoThreads.run { index in
              for _ in 0..<count / 2 { emitter.send(index == 0 ? 1 : other) }
            }
          },
          result: { sum.value })
      },
      .openCombine {
        // OpenCombine calls the handler on both threads at once, so that the handler needs a sum of its own kind.
        let sum = AtomicSum()
        // Safe: a subject may be sent to from several threads.
        nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.sink { sum.add($0) }
        return Row.Run(
          perform: { count in
            TwoThreads.run { index in
              for _ in 0..<count / 2 { subject.send(index == 0 ? 1 : other) }
            }
          },
          result: { withExtendedLifetime(subscription) { sum.value } })
      },
    ])

  /// Each of eight threads, twice as many as many a machine has processors, subscribes its share and then disposes it, the oldest first.
  static let eightSubscribers = Row(
    "subscribe and dispose, 8 threads", operations: 100_000, goals: Goals(timesLimit: 1.5), measuresGraph: false,
    [
      .signals {
        let sum = Sum()
        let emitter = Emitter<Int>()
        let stays = emitter.signal.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { count in
            ManyThreads.run(threads) { _ in
              let kept = (0..<count / threads).map { _ in emitter.signal.subscribe { sum.value &+= $0 } }
              for subscription in kept { subscription.dispose() }
            }
          },
          result: {
            emitter.send(1)
            return withExtendedLifetime(stays) { sum.value }
          })
      },
      .limit {
        let sum = Sum()
        let emitter = SlotEmitter()
        _ = emitter.subscribe { sum.value &+= $0 }
        return Row.Run(
          perform: { count in
            ManyThreads.run(threads) { _ in
              let kept = (0..<count / threads).map { _ in emitter.subscribe { sum.value &+= $0 } }
              for token in kept { token.dispose() }
            }
          },
          result: {
            emitter.send(1)
            return sum.value
          })
      },
      .openCombine {
        let sum = Sum()
        // Safe: a subject may be used by several threads.
        nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
        let stays = subject.sink { sum.value &+= $0 }
        return Row.Run(
          perform: { count in
            ManyThreads.run(threads) { _ in
              let kept = (0..<count / threads).map { _ in subject.sink { sum.value &+= $0 } }
              for subscription in kept { subscription.cancel() }
            }
          },
          result: {
            subject.send(1)
            return withExtendedLifetime(stays) { sum.value }
          })
      },
    ])

  private static let threads = 8
}

/// A sum that several threads may add to at once.
private final class AtomicSum: Sendable {
  private let sum = Atomic<Int>(0)

  var value: Int { sum.load(ordering: .relaxed) }

  func add(_ value: Int) { sum.wrappingAdd(value, ordering: .relaxed) }
}
