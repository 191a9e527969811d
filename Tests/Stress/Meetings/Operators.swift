import Signals
import Synchronization

/// Operators that decide about what comes next while others send.
extension Meeting {
  /// `flatMap(maxConcurrent: 1)` takes values one by one, in their order (law 2), whoever ends the inner signals.
  static let oneByOne = Meeting("flat-map-one-by-one") { random, judge in
    let count = 60
    let emitter = Emitter<Int>()
    let running = Guarded<[@Sendable () -> Void]>([])
    let seen = Guarded<[Int]>([])
    let isOver = Atomic<Bool>(false)
    let subscription = emitter.signal.flatMap(maxConcurrent: 1) { value in
      Signal<Int> { producer in
        running.withLock {
          $0.append {
            producer.send(value)
            producer.finish()
          }
        }
      }
    }.subscribeToEvents { event in
      if case .value(let value) = event {
        seen.withLock { $0.append(value) }
      } else {
        isOver.store(true, ordering: .releasing)
      }
    }
    let pause = random.below(100)
    return Encounter(
      events: count,
      acts: [
        {
          for value in 0..<count {
            emitter.send(value)
            spin(pause)
          }
          emitter.finish()
        },
        {
          let ended = wait {
            for end in running.withLock({ list in
              defer { list = [] }
              return list
            }) {
              end()
            }
            return isOver.load(ordering: .acquiring)
          }
          judge.check(
            ended, "end of flatMap(maxConcurrent:) (law 16)", expected: "the end arrives", seen: "it does not")
        },
      ]
    ) {
      judge.check(
        seen.value == Array(0..<count), "order of flatMap(maxConcurrent: 1) (law 2)", expected: "0 to \(count - 1)",
        seen: "\(seen.value)")
      subscription.dispose()
    }
  }

  /// `timeout(fallback:)` switches once, and nothing of the upstream comes after that.
  static let timeoutFallback = Meeting("timeout-fallback") { random, judge in
    let scheduler = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let started = Atomic<Int>(0)
    let isSwitched = Atomic<Bool>(false)
    let fallback = Signal<Int>.deferred {
      started.add(1, ordering: .relaxed)
      return Signal<Int>.never().prepend(-1)
    }
    let way = random.below(10_000)
    // A value that takes its time on the way may be past the deadline when it comes.
    let upstream = emitter.signal.map { value in
      spin(way)
      return value
    }
    let subscription = upstream.timeout(after: .milliseconds(1), on: scheduler, fallback: fallback)
      .subscribe { value in
        if value < 0 {
          isSwitched.store(true, ordering: .relaxed)
        } else if isSwitched.load(ordering: .relaxed) {
          judge.fail(
            "switch of timeout(fallback:)", expected: "nothing of the upstream after the switch", seen: "a value of it")
        }
      }
    let jitter = [random.jitter(), random.jitter()]
    return Encounter(
      events: 4,
      acts: [
        {
          spin(jitter[0])
          for value in 0..<4 { emitter.send(value) }
        },
        {
          spin(jitter[1])
          try? scheduler.advance(by: .milliseconds(2))
        },
      ]
    ) {
      try? scheduler.advance(by: .seconds(1))
      let count = started.load(ordering: .relaxed)
      judge.check(
        count == 1, "switch of timeout(fallback:)", expected: "the fallback starts once", seen: "\(count) times")
      judge.check(
        emitter.subscriberCount == 0, "switch of timeout(fallback:)", expected: "the upstream is left",
        seen: "\(emitter.subscriberCount) subscriptions")
      subscription.dispose()
    }
  }
}
