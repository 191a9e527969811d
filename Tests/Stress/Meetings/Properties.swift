import Signals
import Synchronization

/// Properties that are made of others, and properties that are bound to each other (law 12).
extension Meeting {
  /// Both sides of a two-way binding are written, from two threads, perhaps while it is disposed.
  static let twoWay = Meeting("two-way") { random, judge in
    let count = 1 + random.below(30)
    let (first, second) = (Property(0), random.once(in: 2) ? Property(0) : Property(removingDuplicates: 0))
    let binding = first.bindTwoWay(with: second)
    // A handler that writes the other side.
    let echo = random.once(in: 3) ? second.changes.subscribe { if $0 == 3 { first.value = 1_000 } } : nil
    let disposes = random.once(in: 4)
    let jitter = random.jitter()
    let updates = random.once(in: 2)
    var acts: [@Sendable () -> Void] = [
      { for value in 1...count { first.value = value } },
      { for value in 1...count { if updates { second.update { $0 = -value } } else { second.value = -value } } },
    ]
    if disposes {
      acts.append {
        spin(jitter)
        binding.dispose()
      }
    }
    return Encounter(events: 2 * count, subscriptions: 2, acts: acts) {
      if !disposes {
        judge.check(
          first.value == second.value, "two-way binding", expected: "the same value on both sides when all is quiet",
          seen: "\(first.value) and \(second.value)")
      }
      binding.dispose()
      echo?.dispose()
      judge.check(
        first.subscriberCount + second.subscriberCount == 0, "two-way binding, disposed (laws 7 and 9)",
        expected: "no subscription", seen: "\(first.subscriberCount + second.subscriberCount)")
    }
  }

  /// A derived property is read and subscribed to while its sources are written.
  static let derived = Meeting("derived") { random, judge in
    let count = 1 + random.below(60)
    let (first, second) = (Property(0), Property(0))
    let pair = first.map { $0 * 2 }.combined(with: second.combined(with: first)).removingDuplicatesOfPairs()
    let seen = Guarded<[Int]>([])
    let last = Guarded<DerivedValue?>(nil)
    let kept = Guarded<Subscription?>(nil)
    let jitter = random.jitter()
    return Encounter(
      events: 2 * count,
      acts: [
        {
          for value in 1...count {
            first.value = value
            second.value = value
          }
        },
        {
          spin(jitter)
          kept.value = pair.signal.subscribe { value in
            last.value = value
            // A change of what both sides are made of comes on both sides at once.
            if value.double != value.first * 2 { seen.withLock { $0 += [value.double, value.first] } }
          }
        },
        {
          for _ in 0..<count {
            let value = pair.value
            if value.double != value.first * 2 || value.first < value.second || value.first > value.second + 1 {
              seen.withLock { $0 += [value.double, value.first, value.second] }
            }
          }
        },
      ]
    ) {
      judge.check(
        seen.value.isEmpty, "derived property (law 12)", expected: "values that were there at one moment",
        seen: "\(seen.value)")
      judge.check(
        last.value == pair.value && pair.value.first == count, "derived property (law 12)",
        expected: "the last value seen is the value", seen: "\(String(describing: last.value)) and \(pair.value)")
      kept.value = nil
      judge.check(
        first.subscriberCount + second.subscriberCount == 0, "derived property (law 9)", expected: "no subscription",
        seen: "\(first.subscriberCount + second.subscriberCount)")
    }
  }

  /// Who listens is asked, and an owner's subscriptions are ended, while subscribers come and go and values are sent.
  static let listeners = Meeting("listeners") { random, judge in
    let emitter = Emitter<Int>(replay: random.below(2))
    let owner = Guarded<Owner?>(Owner())
    let life = Life()
    let bag = DisposeBag()
    let jitter = [random.jitter(), random.jitter()]
    let dropsOwner = random.once(in: 2)
    return Encounter(
      events: 20, subscriptions: 30,
      acts: [
        { for value in 0..<20 { emitter.send(value) } },
        {
          for _ in 0..<10 {
            guard let kept = owner.value else { return }
            emitter.signal.subscribe(with: kept) { [token = life.token()] _, _ in token.touch() }
            emitter.signal.named("x").map { $0 }
              .subscribe(with: kept, in: bag) { [token = life.token()] _, _ in token.touch() }
            emitter.signal.subscribe { [token = life.token()] _ in token.touch() }.dispose()
          }
        },
        {
          spin(jitter[0])
          for _ in 0..<5 { _ = emitter.subscribers.map(\.description) }
          if let kept = owner.value { emitter.disposeSubscriptions(of: kept) }
        },
        {
          spin(jitter[1])
          if dropsOwner { owner.value = nil } else { emitter.disposeAllSubscriptions() }
        },
      ]
    ) {
      if let kept = owner.value { emitter.disposeSubscriptions(of: kept) }
      bag.disposeAll()
      judge.check(
        emitter.subscriberCount == 0 && emitter.subscribers.isEmpty && life.alive == 0, "ended by owner (laws 7 and 9)",
        expected: "no subscription and no closure", seen: "\(emitter.subscribers) and \(life.alive) closures")
    }
  }

  private final class Owner: Sendable {}
}

private struct DerivedValue: Sendable, Equatable {
  var (double, first, second) = (0, 0, 0)
}

extension ReadOnlyProperty where Value == (Int, (Int, Int)) {
  fileprivate func removingDuplicatesOfPairs() -> ReadOnlyProperty<DerivedValue> {
    map { DerivedValue(double: $0, first: $1.1, second: $1.0) }.removingDuplicates()
  }
}
