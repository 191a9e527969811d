import Signals
import Synchronization

/// Where values, failures and ends are delivered (law 14).
extension Meeting {
  static let hopPlace = hop("receive-on-place", delayed: false)
  static let delayPlace = hop("delay-place", delayed: true)

  private static let queues = [MarkedQueue(number: 1), MarkedQueue(number: 2)]

  private static func hop(_ name: String, delayed isDelayed: Bool) -> Meeting {
    Meeting(name) { random, judge in
      let queue = random.pick(queues)
      let emitter = Emitter<Int>()
      let check = CallCheck(judge, "the subscriber below the hop")
      let seen = Guarded<[Int]>([])
      let isOver = Atomic<Bool>(false)
      let hopped =
        isDelayed
        ? emitter.signal.delay(for: .microseconds(20), on: queue.scheduler)
        : emitter.signal.receive(on: queue.scheduler)
      let subscription = hopped.map { $0 }.subscribeToEvents { event in
        let isEnd = if case .value = event { false } else { true }
        judge.check(
          queue.isHere,
          "place of \(isEnd ? "the end" : "values") below \(isDelayed ? "delay" : "receive(on:)") (law 14)",
          expected: "on the queue", seen: "on another thread")
        check.call(isEnd: isEnd) {
          if case .value(let value) = event { seen.withLock { $0.append(value) } }
        }
        if isEnd { isOver.store(true, ordering: .releasing) }
      }
      let count = 20
      let pause = random.below(200)
      let fails = !isDelayed && random.once(in: 4)
      return Encounter(
        events: count,
        acts: [
          {
            for value in 0..<count {
              emitter.send(value)
              spin(pause)
            }
            if fails { emitter.fail(PlannedFailure()) } else { emitter.finish() }
          }
        ]
      ) {
        let ended = wait { isOver.load(ordering: .acquiring) }
        judge.check(ended, "end below a hop (law 14)", expected: "the end arrives", seen: "it does not")
        judge.check(
          seen.value == Array(0..<count), "order below a hop (law 14)", expected: "0 to \(count - 1)",
          seen: "\(seen.value)"
        )
        subscription.dispose()
      }
    }
  }
}

/// The error that is thrown and sent on purpose.
struct PlannedFailure: Error {}
