import Limits
import Measuring
import OpenCombine
import Results
import Signals
import Synchronization

/// Two threads send into one emitter at the same time.
///
/// One sends 1, the other 2^32, so that the sum tells how many values of each thread arrived.
enum ThreadRows {
  static let all = [twoSenders]

  private static let other = 1 << 32

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
}

/// A sum that several threads may add to at once.
private final class AtomicSum: Sendable {
  private let sum = Atomic<Int>(0)

  var value: Int { sum.load(ordering: .relaxed) }

  func add(_ value: Int) { sum.wrappingAdd(value, ordering: .relaxed) }
}
