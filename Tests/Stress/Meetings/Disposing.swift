import Signals
import Synchronization

/// Who disposes may rely on it once the call has returned, whoever else disposes at the same moment (law 7).
extension Meeting {
  static let disposeTwice = Meeting("dispose-twice") { random, judge in
    let emitter = Emitter<Int>(replay: random.below(2))
    let check = CallCheck(judge, "the subscriber")
    let isOver = Atomic<Bool>(false)
    let subscription = emitter.signal.subscribe { _ in check.call(isEnd: false) {} }
    let jitter = (0..<3).map { _ in random.jitter() }
    let dispose: @Sendable (Int) -> Void = { index in
      spin(jitter[index])
      subscription.dispose()
      check.disposed(isInsideHandler: false)
    }
    return Encounter(
      events: 100,
      acts: [
        {
          for value in 0..<100 { emitter.send(value) }
          isOver.store(true, ordering: .releasing)
        },
        { dispose(0) },
        { dispose(1) },
        {
          // Keeps the lock of the emitter busy.
          while !isOver.load(ordering: .acquiring) { emitter.signal.subscribe { _ in }.dispose() }
        },
      ]
    ) {
      judge.check(
        emitter.subscriberCount == 0, "disposal (law 7)", expected: "no subscription",
        seen: "\(emitter.subscriberCount)")
    }
  }

  /// Two threads empty a bag in which something that takes its time comes first.
  static let bagTwice = Meeting("bag-twice") { random, judge in
    let emitter = Emitter<Int>()
    let check = CallCheck(judge, "the subscriber in the bag")
    let bag = DisposeBag()
    let length = random.jitter()
    bag += Subscription { spin(length) }
    bag += emitter.signal.subscribe { _ in check.call(isEnd: false) {} }
    let closes = random.once(in: 2)
    let empty: @Sendable () -> Void = {
      if closes { bag.close() } else { bag.disposeAll() }
      check.disposed(isInsideHandler: false)
    }
    return Encounter(
      events: 100,
      acts: [
        { for value in 0..<100 { emitter.send(value) } },
        empty, empty,
      ]
    ) {
      judge.check(
        emitter.subscriberCount == 0, "disposal (law 7)", expected: "no subscription",
        seen: "\(emitter.subscriberCount)")
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
