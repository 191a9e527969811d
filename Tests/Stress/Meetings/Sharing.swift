import Signals
import Synchronization

/// What is shared is subscribed while somebody subscribes, and nobody is cut off (laws 8 and 9).
extension Meeting {
  /// A chain throws on one thread while it is disposed on another.
  static let shareThrowDispose = Meeting("share-throw-dispose") { random, judge in
    let emitter = Emitter<Int>()
    let shared = random.once(in: 2) ? emitter.signal.share() : emitter.signal.share(replay: 1)
    let heard = Atomic<Int>(0)
    let sibling = shared.subscribe { _ in heard.add(1, ordering: .relaxed) }
    let thrower = shared.map { _ in throw PlannedFailure() }.subscribeToEvents { (_: Event<Int>) in }
    let jitter = [random.jitter(), random.jitter()]
    return Encounter(
      events: 2, subscriptions: 2,
      acts: [
        {
          spin(jitter[0])
          emitter.send(1)
        },
        {
          spin(jitter[1])
          thrower.dispose()
        },
      ]
    ) {
      emitter.send(2)
      judge.check(
        heard.load(ordering: .relaxed) == 2 && emitter.subscriberCount == 1, "share cuts nobody off (law 8)",
        expected: "the sibling hears 2 values, and the source has 1 subscription",
        seen: "\(heard.load(ordering: .relaxed)) values and \(emitter.subscriberCount) subscriptions")
      sibling.dispose()
      judge.check(
        emitter.subscriberCount == 0, "share leaves its source (law 9)",
        expected: "no subscription after the last has left",
        seen: "\(emitter.subscriberCount)")
    }
  }

  /// The last leaves while another comes.
  static let shareLastAndFirst = Meeting("share-last-and-first") { random, judge in
    let emitter = Emitter<Int>()
    let shared = random.once(in: 2) ? emitter.signal.share() : emitter.signal.share(replay: 1)
    let heard = Atomic<Int>(0)
    let newcomer = Guarded<Subscription?>(nil)
    let first = shared.subscribe { _ in }
    let jitter = [random.jitter(), random.jitter()]
    return Encounter(
      subscriptions: 2,
      acts: [
        {
          spin(jitter[0])
          first.dispose()
        },
        {
          spin(jitter[1])
          newcomer.value = shared.subscribe { _ in heard.add(1, ordering: .relaxed) }
        },
      ]
    ) {
      emitter.send(1)
      judge.check(
        heard.load(ordering: .relaxed) == 1 && emitter.subscriberCount == 1, "share cuts nobody off (law 8)",
        expected: "the newcomer hears 1 value, and the source has 1 subscription",
        seen: "\(heard.load(ordering: .relaxed)) values and \(emitter.subscriberCount) subscriptions")
      newcomer.value = nil
      judge.check(
        emitter.subscriberCount == 0, "share leaves its source (law 9)",
        expected: "no subscription after the last has left",
        seen: "\(emitter.subscriberCount)")
    }
  }
}
