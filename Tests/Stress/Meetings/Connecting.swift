import Signals
import Synchronization

/// Sources that send from another thread while an operator connects them from inside its gate (law 3).
extension Meeting {
  /// One after the other: each value is sent when the `send` of the one before it has returned.
  static let connectingInside = Meeting("connecting-inside") { random, judge in
    let source = Signal<Int> { producer in
      producer.send(1)
      Helpers.shared.andWait { producer.send(2) }
      producer.send(3)
      producer.finish()
    }
    let nesting = random.pick(Nesting.allCases)
    let seen = Guarded<[Int]>([])
    let check = CallCheck(judge, "the subscriber below \(nesting)")
    return Encounter(
      events: 3,
      acts: [
        {
          let subscription = nesting.nest(source).subscribeToEvents { event in
            let isEnd = if case .value = event { false } else { true }
            check.call(isEnd: isEnd) {
              if case .value(let value) = event { seen.withLock { $0.append(value) } }
            }
          }
          withExtendedLifetime(subscription) {}
        }
      ]
    ) {
      judge.check(
        seen.value == [1, 2, 3], "values that come while \(nesting) connects (law 3)", expected: "[1, 2, 3]",
        seen: "\(seen.value)")
    }
  }

  /// All at once: one from another thread, many from the connecting one.
  static let connectingBeside = Meeting("connecting-beside") { random, judge in
    let background = Signal<Int> { producer in
      Helpers.shared.start {
        producer.send(-1)
        producer.finish()
      }
    }
    let count = 100
    let nesting = random.pick(Nesting.allCases)
    let source = nesting.nest(.merge([background, .sequence(0..<count)]))
    let seen = Guarded<[Int]>([])
    let isOver = Atomic<Bool>(false)
    let check = CallCheck(judge, "the subscriber below \(nesting)")
    return Encounter(
      events: count,
      acts: [
        {
          let subscription = source.subscribeToEvents { event in
            let isEnd = if case .value = event { false } else { true }
            check.call(isEnd: isEnd) {
              if case .value(let value) = event { seen.withLock { $0.append(value) } }
            }
            if isEnd { isOver.store(true, ordering: .releasing) }
          }
          let ended = wait { isOver.load(ordering: .acquiring) }
          judge.check(ended, "end below \(nesting) (law 16)", expected: "the end arrives", seen: "it does not")
          subscription.dispose()
        }
      ]
    ) {
      let values = seen.value
      judge.check(
        values.filter { $0 == -1 }.count == 1 && values.filter { $0 >= 0 } == Array(0..<count),
        "values that come while \(nesting) connects (law 3)", expected: "-1 once, and 0 to \(count - 1) in order",
        seen: "\(values)")
    }
  }
}
