import Signals
import Synchronization

/// Newcomers, and what they may rely on (laws 2, 3, 6, 10 and 12).
extension Meeting {
  /// The end meets the first subscription: it is told of the end, once.
  static let endAndFirst = Meeting("end-and-first") { random, judge in
    let emitter = Emitter<Int>(replay: random.below(2))
    let check = CallCheck(judge, "the first subscriber")
    let kept = Guarded<Subscription?>(nil)
    let jitter = [random.jitter(), random.jitter()]
    return Encounter(
      acts: [
        {
          spin(jitter[0])
          emitter.finish()
        },
        {
          spin(jitter[1])
          kept.value = emitter.signal.map { $0 }.subscribeToEvents { event in
            let isEnd = if case .value = event { false } else { true }
            check.call(isEnd: isEnd) {}
          }
        },
      ]
    ) {
      judge.check(check.hasEnded, "late subscribers (law 10)", expected: "one end", seen: "none")
      judge.check(
        emitter.subscriberCount == 0, "release (law 9)", expected: "no subscription", seen: "\(emitter.subscriberCount)"
      )
      kept.value = nil
    }
  }

  /// Who comes while two threads send misses nothing that is sent later, and sees each sender's values in order.
  static let newcomers = Meeting("newcomers") { random, judge in
    let count = 200
    let emitter = Emitter<Int>(replay: random.below(3))
    let last = (0..<2).map { _ in Guarded(-1) }
    let position = (0..<2).map { _ in Guarded(0) }
    let kept = Guarded<Subscription?>(nil)
    let required = Guarded<[Int]>([])
    let jitter = random.jitter()
    let send: @Sendable (Int) -> Void = { sender in
      for value in 0..<count {
        position[sender].value = value + 1
        emitter.send(sender * count + value)
      }
    }
    let first = (0..<2).map { _ in Guarded(count) }
    return Encounter(
      events: 2 * count,
      acts: [
        { send(0) }, { send(1) },
        {
          spin(jitter)
          kept.value = emitter.signal.subscribe { value in
            let (sender, number) = value.quotientAndRemainder(dividingBy: count)
            let before = last[sender].value
            judge.check(
              before == -1 || number == before + 1, "each sender's values in order (laws 2 and 3)",
              expected: "\(before + 1) of sender \(sender)", seen: "\(number)")
            last[sender].value = number
            if before == -1 { first[sender].value = number }
          }
          required.value = position.map(\.value)
        },
      ]
    ) {
      for sender in 0..<2 where required.value[sender] < count {
        judge.check(
          first[sender].value <= required.value[sender] && last[sender].value == count - 1,
          "newcomers miss nothing (laws 3 and 6)",
          expected: "values from \(required.value[sender]) at the latest to \(count - 1) of sender \(sender)",
          seen: "\(first[sender].value) to \(last[sender].value)")
      }
      kept.value = nil
    }
  }

  /// A thread that sends a value and then subscribes does not get that value, whoever delivers it.
  static let behindOwnValue = Meeting("behind-own-value") { random, judge in
    let emitter = Emitter<Int>()
    let rounds = 50
    let jitter = (0..<4).map { _ in random.jitter() }
    // More threads than most machines have cores: a sender is interrupted anywhere.
    let senders: [@Sendable () -> Void] = jitter.dropFirst().map { jitter in
      {
        spin(jitter)
        for _ in 0..<8 * rounds { emitter.send(-1) }
      }
    }
    return Encounter(
      events: 25 * rounds, subscriptions: rounds,
      acts: senders + [
        {
          spin(jitter[0])
          for round in 0..<rounds {
            emitter.send(round)
            let subscription = emitter.signal.subscribe { value in
              judge.check(
                value < 0, "newcomers get what is sent from then on", expected: "no value sent before",
                seen: "\(value)")
            }
            subscription.dispose()
          }
        }
      ]
    ) {}
  }

  /// Two subscribers see what three threads send in the same order.
  static let oneOrder = Meeting("one-order") { random, judge in
    let count = 100
    let emitter = Emitter<Int>(replay: random.below(2))
    let logs = [Guarded<[Int]>([]), Guarded<[Int]>([])]
    let subscriptions = [
      emitter.signal.subscribe { value in logs[0].withLock { $0.append(value) } },
      emitter.signal.map { $0 }.filter { _ in true }.subscribe { value in logs[1].withLock { $0.append(value) } },
    ]
    let send: @Sendable (Int) -> Void = { sender in
      for value in 0..<count { emitter.send(sender * count + value) }
    }
    return Encounter(events: 3 * count, subscriptions: 2, acts: [{ send(0) }, { send(1) }, { send(2) }]) {
      let (left, right) = (logs[0].value, logs[1].value)
      judge.check(left == right, "one order (law 2)", expected: "\(left)", seen: "\(right)")
      judge.check(
        left.sorted() == Array(0..<3 * count), "no value lost (law 3)", expected: "\(3 * count) values",
        seen: "\(left.count)")
      for subscription in subscriptions { subscription.dispose() }
    }
  }

  /// When all is quiet, the last value that a subscriber saw is the value.
  static let propertyLast = Meeting("property-last") { random, judge in
    let property = Property(0)
    let heard = Guarded<[Int]>([])
    let kept = Guarded<Subscription?>(nil)
    let jitter = random.jitter()
    return Encounter(
      events: 150,
      acts: [
        { for value in 1...50 { property.value = value * 1_000 } },
        { for _ in 0..<50 { property.update { $0 += 1 } } },
        {
          spin(jitter)
          kept.value = property.signal.subscribe { value in heard.withLock { $0.append(value) } }
        },
      ]
    ) {
      judge.check(
        heard.value.last == property.value, "last value of a property (law 12)", expected: "\(property.value)",
        seen: "\(heard.value.last ?? -1)")
      for (old, new) in zip(heard.value, heard.value.dropFirst()) where new != old + 1 && !new.isMultiple(of: 1_000) {
        judge.fail("changes of a property (law 12)", expected: "\(old + 1), or a value that was set", seen: "\(new)")
      }
      kept.value = nil
    }
  }
}
