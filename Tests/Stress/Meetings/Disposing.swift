import Signals
import Synchronization

/// Who disposes may rely on it once the call has returned, whoever else disposes at the same moment (law 7).
extension Meeting {
  static let disposeTwice = twice("dispose-twice", disposal: "disposal (law 7)") { _, subscription in
    return { subscription.dispose() }
  }

  /// Two threads empty a bag in which something that takes its time comes first.
  static let bagTwice = twice("bag-twice", disposal: "disposal by a bag (law 7)") { random, subscription in
    let bag = DisposeBag()
    let length = random.below(2_000)
    bag += Subscription { spin(length) }
    bag += subscription
    let closes = random.once(in: 2)
    return { if closes { bag.close() } else { bag.disposeAll() } }
  }

  /// Two threads dispose the same while a third sends and a fourth keeps the lock of the emitter busy.
  private static func twice(
    _ name: String, disposal: String,
    _ makeDisposal: @escaping @Sendable (inout Random, Subscription) -> @Sendable () -> Void
  ) -> Meeting {
    Meeting(name) { random, judge in
      let emitter = Emitter<Int>(replay: random.below(2))
      let check = CallCheck(judge, "the subscriber", disposal: disposal)
      let disposers = Atomic<Int>(2)
      let dispose = makeDisposal(&random, emitter.signal.subscribe { _ in check.call(isEnd: false) {} })
      let start = random.below(500)
      let jitter = [start + random.below(20), start + random.below(20)]
      let disposeLater: @Sendable (Int) -> Void = { index in
        spin(jitter[index])
        dispose()
        check.disposed(isInsideHandler: false)
        spin(100)
        disposers.subtract(1, ordering: .releasing)
      }
      return Encounter(
        events: 100,
        acts: [
          { while disposers.load(ordering: .acquiring) > 0 { emitter.send(1) } },
          { disposeLater(0) },
          { disposeLater(1) },
          { while disposers.load(ordering: .acquiring) > 0 { _ = emitter.subscriberCount } },
        ]
      ) {
        judge.check(
          emitter.subscriberCount == 0, disposal, expected: "no subscription", seen: "\(emitter.subscriberCount)")
      }
    }
  }

  private static let silencedQueue = MarkedQueue(number: 4)

  /// Two threads end the subscriptions of a source without an event while others send, and operators hold values back.
  static let silencedWhileDelivering = Meeting("silenced-while-delivering") { random, judge in
    let life = Life()
    let emitter = Emitter<Int>(replay: random.below(2))
    let other = Emitter<Int>()
    let check = CallCheck(judge, "the subscriber")
    let scheduler = silencedQueue.scheduler
    let chain: Signal<Int> =
      switch random.below(6) {
      case 0: emitter.signal.receive(on: scheduler)
      case 1: emitter.signal.debounce(for: .microseconds(30), on: scheduler)
      case 2: emitter.signal.mapAsync(maxConcurrent: 2) { $0 }
      case 3: emitter.signal.share(replay: random.below(2), keepsRunning: random.once(in: 2)).receive(on: scheduler)
      case 4: emitter.signal.timeout(after: .microseconds(30), on: scheduler, fallback: other.signal)
      default:
        random.pick([Nesting.concat, .retry, .catch]).nest(emitter.signal).timeout(
          after: .seconds(86_400), on: scheduler)
      }
    let subscription = chain.subscribeToEvents { [token = life.token()] event in
      token.touch()
      if case .value = event { check.call(isEnd: false) {} } else { check.call(isEnd: true) {} }
    }
    let jitter = [random.jitter(), random.jitter(), random.jitter()]
    let disposes = random.once(in: 3)
    return Encounter(
      events: 40,
      acts: [
        { for value in 0..<20 { emitter.send(value) } },
        {
          for value in 0..<20 { other.send(value) }
          spin(jitter[2])
          if disposes { subscription.dispose() }
        },
        {
          spin(jitter[0])
          emitter.disposeAllSubscriptions()
          other.disposeAllSubscriptions()
        },
        {
          spin(jitter[1])
          emitter.disposeAllSubscriptions()
        },
      ]
    ) {
      let isOver = wait {
        // The fallback may have been connected afterwards.
        emitter.disposeAllSubscriptions()
        other.disposeAllSubscriptions()
        return subscription.isDisposed && life.alive == 0
      }
      judge.check(
        isOver, "end without an event (law 7)",
        expected: "the subscription has ended and closures are freed",
        seen: "\(life.alive) closures, isDisposed: \(subscription.isDisposed)")
      judge.check(
        !check.hasEnded && emitter.subscriberCount + other.subscriberCount == 0, "end without an event (law 7)",
        expected: "no event and no subscription",
        seen: "\(check.hasEnded), \(emitter.subscriberCount + other.subscriberCount) subscriptions")
    }
  }

  /// Closures are freed, and nothing comes any more, when what is disposed is deep in operators.
  static let disposeWhileDelivering = Meeting("dispose-while-delivering") { random, judge in
    let life = Life()
    let emitter = Emitter<Int>()
    let other = Emitter<Int>()
    let check = CallCheck(judge, "the subscriber")
    let chain: Signal<Int> =
      switch random.below(4) {
      case 0: emitter.signal.merge(with: other.signal)
      case 1: emitter.signal.combineLatest(other.signal).map { $0 + $1 }
      case 2: random.pick(Nesting.allCases).nest(emitter.signal)
      default: emitter.signal.share().map { $0 }
      }
    let subscription = chain.subscribe { [token = life.token()] _ in
      token.touch()
      check.call(isEnd: false) {}
    }
    let jitter = random.jitter()
    return Encounter(
      events: 40,
      acts: [
        { for value in 0..<20 { emitter.send(value) } },
        { for value in 0..<20 { other.send(value) } },
        {
          spin(jitter)
          subscription.dispose()
          check.disposed(isInsideHandler: false)
        },
      ]
    ) {
      judge.check(
        life.alive == 0 && emitter.subscriberCount + other.subscriberCount == 0, "release (laws 7 and 9)",
        expected: "closures freed and sources left",
        seen: "\(life.alive) closures and \(emitter.subscriberCount + other.subscriberCount) subscriptions")
    }
  }
}
