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

/// What becomes of values that have to wait, and where sources are subscribed to.
extension Meeting {
  private static let slowQueue = MarkedQueue(number: 3)

  /// A burst that takes several jobs, with each policy; perhaps somebody disposes meanwhile.
  static let longBurst = Meeting("receive-on-long-burst") { random, judge in
    let count = 3_000
    let limit = 1 + random.below(40)
    let overflow = random.pick([OverflowPolicy.keepAll, .newest(limit), .oldest(limit), .fail(limit)])
    let disposes = random.once(in: 3)
    let emitter = Emitter<Int>()
    let check = CallCheck(judge, "the subscriber below the hop")
    let seen = Guarded<[Int]>([])
    let failure = Guarded<(any Error)?>(nil)
    let isOver = Atomic<Bool>(false)
    let subscription = emitter.signal.receive(on: slowQueue.scheduler, overflow: overflow).subscribeToEvents { event in
      switch event {
      case .value(let value): check.call(isEnd: false) { seen.withLock { $0.append(value) } }
      case .failed(let error):
        failure.withLock { $0 = error }
        check.call(isEnd: true) {}
        isOver.store(true, ordering: .releasing)
      case .finished:
        check.call(isEnd: true) {}
        isOver.store(true, ordering: .releasing)
      }
    }
    let pause = random.below(2_000)
    return Encounter(
      events: count,
      acts: [
        {
          for value in 0..<count { emitter.send(value) }
          emitter.finish()
        },
        {
          spin(pause * 100)
          if disposes { subscription.dispose() }
        },
      ]
    ) {
      let what = "values below a hop that keeps \(overflow) (law 14)"
      if disposes {
        let known = seen.value
        judge.check(
          zip(known, known.dropFirst()).allSatisfy { $0 < $1 }, what, expected: "in order", seen: "\(known)")
        judge.check(
          wait { emitter.subscriberCount == 0 }, "source of a hop that was disposed (law 9)", expected: "it is left",
          seen: "it is not")
        return
      }
      let ended = wait { isOver.load(ordering: .acquiring) }
      judge.check(ended, "end below a hop (law 14)", expected: "the end arrives", seen: "it does not")
      let values = seen.value
      let isRight =
        switch overflow {
        case .keepAll: values == Array(0..<count)
        case .newest: zip(values, values.dropFirst()).allSatisfy { $0 < $1 } && values.last == count - 1
        case .oldest: zip(values, values.dropFirst()).allSatisfy { $0 < $1 } && values.first == 0
        case .fail:
          values == Array(0..<values.count) && (values.count == count) == (failure.withLock { $0 } == nil)
        }
      judge.check(isRight, what, expected: "what the policy says", seen: "\(values)")
    }
  }

  /// `buffer` loses nothing and keeps the order, however often somebody opens and closes it.
  static let openedAndClosed = Meeting("buffer-opened-and-closed") { random, judge in
    let count = 500
    let emitter = Emitter<Int>()
    let isHeld = Property(true)
    let check = CallCheck(judge, "the subscriber below buffer")
    let seen = Guarded<[Int]>([])
    let isOver = Atomic<Bool>(false)
    let subscription = emitter.signal.buffer(while: isHeld.signal).subscribeToEvents { event in
      let isEnd = if case .value = event { false } else { true }
      check.call(isEnd: isEnd) {
        if case .value(let value) = event { seen.withLock { $0.append(value) } }
      }
      if isEnd { isOver.store(true, ordering: .releasing) }
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
          for round in 0..<200 {
            isHeld.value = round.isMultiple(of: 2)
            spin(pause)
          }
        },
      ]
    ) {
      let ended = wait { isOver.load(ordering: .acquiring) }
      judge.check(ended, "end of buffer (law 16)", expected: "the end arrives", seen: "it does not")
      judge.check(
        seen.value == Array(0..<count), "order of buffer (law 2)", expected: "0 to \(count - 1)", seen: "\(seen.value)")
      subscription.dispose()
    }
  }

  /// Whoever disposes while the source is being subscribed to on a queue leaves it.
  static let subscribeOnDispose = Meeting("subscribed-on-dispose") { random, judge in
    let emitter = Emitter<Int>()
    let check = CallCheck(judge, "the subscriber below subscribed(on:)")
    let subscription = emitter.signal.subscribed(on: slowQueue.scheduler).subscribe { _ in check.call(isEnd: false) {} }
    let pause = random.below(300)
    return Encounter(
      acts: [
        {
          spin(pause)
          subscription.dispose()
        },
        { for value in 0..<20 { emitter.send(value) } },
      ]
    ) {
      let isLeft = wait { emitter.subscriberCount == 0 }
      judge.check(isLeft, "source of subscribed(on:) (law 9)", expected: "it is left", seen: "it is not")
    }
  }
}

/// The error that is thrown and sent on purpose.
struct PlannedFailure: Error {}
