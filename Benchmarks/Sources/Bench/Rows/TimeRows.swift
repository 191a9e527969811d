import Limits
import Signals

/// Virtual time.
enum TimeRows {
  static let all = [
    timers(1_000, called: "1,000", operations: 100_000),
    timers(1_000_000, called: "1 million", operations: 1_000_000, maximumRounds: 3, measuresGraph: false),
    debounce,
  ]

  /// So many timers at pseudo-random moments within a second are set on a scheduler of their own, and run.
  static func timers(
    _ batch: Int, called name: String, operations: Int, maximumRounds: Int? = nil, measuresGraph: Bool = true
  ) -> Row {
    let delays = Delays()
    return Row(
      "virtual timers, \(name)", operations: operations, goal: 1.3, measuresGraph: measuresGraph, batch: batch,
      maximumRounds: maximumRounds,
      [
        .signals {
          let sum = OrderedSum()
          var cursor = delays.makeIterator()
          return Row.Run(
            perform: {
              for _ in 0..<($0 / batch) {
                let scheduler = VirtualTimeScheduler()
                for _ in 0..<batch {
                  let delay = cursor.next()
                  _ = scheduler.schedule(after: .nanoseconds(delay)) { sum.add(delay) }
                }
                do { try scheduler.run() } catch { sum.fail(error) }
              }
            }, result: { sum.value })
        },
        .limit {
          let sum = OrderedSum()
          var cursor = delays.makeIterator()
          return Row.Run(
            perform: {
              for _ in 0..<($0 / batch) {
                let timers = ClosureTimers()
                for _ in 0..<batch {
                  let delay = cursor.next()
                  _ = timers.schedule(after: delay) { sum.add(delay) }
                }
                timers.run()
              }
            }, result: { sum.value })
        },
      ])
  }

  /// A value every millisecond through a debounce of ten; a pause after each hundred lets one through.
  static let debounce = Row(
    "debounce, virtual time", operations: 100_000, goal: 1.5,
    [
      .signals {
        let sum = OrderedSum()
        let scheduler = VirtualTimeScheduler()
        let emitter = Emitter<Int>()
        let subscription = emitter.signal.debounce(for: .milliseconds(10), on: scheduler).subscribe {
          sum.add(Int64($0))
        }
        return Row.Run(
          perform: { count in
            do {
              for value in 0..<count {
                emitter.send(value)
                try scheduler.advance(by: .milliseconds(value % 100 == 99 ? 11 : 1))
              }
            } catch {
              sum.fail(error)
            }
          },
          result: {
            _ = subscription
            return sum.value
          })
      },
      .limit {
        let sum = OrderedSum()
        let timers = ClosureTimers()
        let debounce = ClosureDebounce<Int>(for: 10_000_000, on: timers) { sum.add(Int64($0)) }
        return Row.Run(
          perform: { count in
            for value in 0..<count {
              debounce.send(value)
              timers.advance(by: value % 100 == 99 ? 11_000_000 : 1_000_000)
            }
          }, result: { sum.value })
      },
    ])
}

/// A sum that depends on the order of what is added, so that contenders that run timers in another order differ.
private final class OrderedSum: @unchecked Sendable {
  // Safe: each benchmark runs on one thread.
  private(set) var value = 0

  func add(_ number: Int64) { value = value &* 31 &+ Int(number) }

  func fail(_ error: any Error) {
    print(error)
    value = -1
  }
}

/// Pseudo-random delays of up to a second in nanoseconds, the same on every run.
private struct Delays: Sendable {
  struct Iterator {
    let delays: [Int64]
    var index = 0

    mutating func next() -> Int64 {
      index = index + 1 == delays.count ? 0 : index + 1
      return delays[index]
    }
  }

  private let delays: [Int64]

  init() {
    var state: UInt64 = 0x5EED
    // A prime number of them, so that no batch is like the one before.
    delays = (0..<100_003).map { _ in
      // SplitMix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int64((mixed ^ (mixed >> 31)) % 1_000_000_000)
    }
  }

  func makeIterator() -> Iterator { Iterator(delays: delays) }
}
