import Signals
import Synchronization

/// Who is first, who connects and who lets go is decided once, however threads meet.
extension Meeting {
  /// Several inputs of `race` send at the same time, and perhaps somebody disposes.
  static let raceFirst = Meeting("race-first") { random, judge in
    let count = 8
    let inputs = (0..<3).map { _ in Emitter<Int>() }
    let seen = Guarded<[Int]>([])
    let subscription = Signal.race(inputs.map(\.signal)).subscribe { value in seen.withLock { $0.append(value) } }
    let isDisposed = random.once(in: 3)
    let jitter = (0..<4).map { _ in random.jitter() }
    let sending: [@Sendable () -> Void] = inputs.indices.map { index in
      {
        spin(jitter[index])
        for value in 0..<count { inputs[index].send(count * index + value) }
      }
    }
    let disposing: @Sendable () -> Void = {
      spin(jitter[3])
      subscription.dispose()
    }
    return Encounter(events: 3 * count, acts: isDisposed ? sending + [disposing] : sending) {
      let values = seen.value
      let winner = (values.first ?? 0) / count
      let all = (0..<count).map { count * winner + $0 }
      let isWhole = isDisposed ? Array(all.prefix(values.count)) == values : all == values
      judge.check(isWhole, "race has one winner (law 3)", expected: "the values of one input", seen: "\(values)")
      let subscribers = inputs.map(\.subscriberCount)
      judge.check(
        subscribers.reduce(0, +) == (isDisposed ? 0 : 1), "race leaves the losers (law 9)",
        expected: isDisposed ? "no subscription" : "1 subscription", seen: "\(subscribers)")
      subscription.dispose()
    }
  }

  /// The last subscriber of `autoconnect` leaves while another comes.
  static let autoconnectLastAndFirst = Meeting("autoconnect-last-and-first") { random, judge in
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast(replay: random.below(2))
    let shared = connectable.autoconnect()
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
        heard.load(ordering: .relaxed) == 1 && emitter.subscriberCount == 1, "autoconnect cuts nobody off (law 8)",
        expected: "the newcomer hears 1 value, and the source has 1 subscription",
        seen: "\(heard.load(ordering: .relaxed)) values and \(emitter.subscriberCount) subscriptions")
      newcomer.value = nil
      judge.check(
        emitter.subscriberCount == 0, "autoconnect leaves its source (law 9)",
        expected: "no subscription after the last has left", seen: "\(emitter.subscriberCount)")
    }
  }

  /// Several connect and let go at the same time, while values come.
  static let connectTogether = Meeting("connect-together") { random, judge in
    let emitter = Emitter<Int>()
    let connectable = emitter.signal.multicast()
    let seen = Guarded<[Int]>([])
    let listener = connectable.signal.subscribe { value in seen.withLock { $0.append(value) } }
    let kept = Guarded<[Subscription]>([])
    let jitter = (0..<3).map { _ in random.jitter() }
    let connecting: [@Sendable () -> Void] = (0..<2).map { index in
      {
        spin(jitter[index])
        connectable.connect().dispose()
        let connection = connectable.connect()
        kept.withLock { $0.append(connection) }
      }
    }
    let sending: @Sendable () -> Void = {
      spin(jitter[2])
      for value in 1...4 { emitter.send(value) }
    }
    return Encounter(events: 4, subscriptions: 4, acts: connecting + [sending]) {
      let values = seen.value
      judge.check(
        zip(values, values.dropFirst()).allSatisfy(<), "a connection is one (law 3)",
        expected: "each value at most once, in order", seen: "\(values)")
      // One that the other thread has disposed may have been handed out before.
      let connection = connectable.connect()
      emitter.send(5)
      judge.check(
        seen.value.last == 5 && seen.value.filter { $0 == 5 }.count == 1 && emitter.subscriberCount == 1,
        "a connection is one (law 3)", expected: "5 once, and 1 subscription",
        seen: "\(seen.value) and \(emitter.subscriberCount) subscriptions")
      connection.dispose()
      kept.value = []
      judge.check(
        emitter.subscriberCount == 0, "a connection leaves its source (law 9)", expected: "no subscription",
        seen: "\(emitter.subscriberCount)")
      listener.dispose()
    }
  }

  /// Without a reference count, the last leaves while another comes; and then the signal is let go.
  static let keepsRunningLastAndFirst = Meeting("share-keeps-running") { random, judge in
    let emitter = Emitter<Int>()
    let shared = Guarded<Signal<Int>?>(emitter.signal.share(replay: random.below(2), keepsRunning: true))
    let heard = Atomic<Int>(0)
    let newcomer = Guarded<Subscription?>(nil)
    let first = shared.value?.subscribe { _ in }
    let letsGo = random.once(in: 2)
    let jitter = (0..<3).map { _ in random.jitter() }
    return Encounter(
      subscriptions: 2,
      acts: [
        {
          spin(jitter[0])
          first?.dispose()
        },
        {
          spin(jitter[1])
          newcomer.value = shared.value?.subscribe { _ in heard.add(1, ordering: .relaxed) }
        },
        {
          spin(jitter[2])
          if letsGo { shared.value = nil }
        },
      ]
    ) {
      emitter.send(1)
      let isThere = newcomer.value != nil
      let kept = isThere || !letsGo ? 1 : 0
      judge.check(
        heard.load(ordering: .relaxed) == (isThere ? 1 : 0) && emitter.subscriberCount == kept,
        "share without a count cuts nobody off (law 8)",
        expected: "\(isThere ? 1 : 0) values, and \(kept) subscriptions of the source",
        seen: "\(heard.load(ordering: .relaxed)) values and \(emitter.subscriberCount) subscriptions")
      newcomer.value = nil
      shared.value = nil
      judge.check(
        emitter.subscriberCount == 0, "share without a count leaves its source (law 9)",
        expected: "no subscription when nobody keeps the signal", seen: "\(emitter.subscriberCount)")
    }
  }

  /// The source ends while somebody comes, and while somebody leaves.
  static let keepsRunningEnd = Meeting("share-keeps-running-end") { random, judge in
    let emitter = Emitter<Int>()
    let shared = emitter.signal.share(replay: 1, keepsRunning: true)
    let seen = Guarded<[Event<Int>]>([])
    let newcomer = Guarded<Subscription?>(nil)
    let first = shared.subscribe { _ in }
    emitter.send(1)
    let jitter = (0..<3).map { _ in random.jitter() }
    return Encounter(
      events: 2, subscriptions: 2,
      acts: [
        {
          spin(jitter[0])
          emitter.finish()
        },
        {
          spin(jitter[1])
          newcomer.value = shared.subscribeToEvents { event in seen.withLock { $0.append(event) } }
        },
        {
          spin(jitter[2])
          first.dispose()
        },
      ]
    ) {
      let late = Guarded<[Event<Int>]>([])
      shared.subscribeToEvents { event in late.withLock { $0.append(event) } }.dispose()
      judge.check(
        seen.value == [.value(1), .finished] && late.value == [.value(1), .finished],
        "share without a count keeps the end (law 10)", expected: "the value and the end, for both",
        seen: "\(seen.value) and \(late.value)")
      newcomer.value = nil
    }
  }
}
