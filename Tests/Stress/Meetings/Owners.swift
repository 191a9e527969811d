import Signals
import Synchronization

/// What is bound to an owner is over with the owner: at the latest when somebody looks (laws 7 and 9).
extension Meeting {
  private final class Owner: Sendable {}

  static let ownerGone = owner("owner-gone", sends: false)
  static let ownerGoneWhileSending = owner("owner-gone-while-sending", sends: true)

  private static func owner(_ name: String, sends: Bool) -> Meeting {
    Meeting(name) { random, judge in
      let emitter = Emitter<Int>()
      let life = Life()
      let owner = Guarded<Owner?>(Owner())
      let chain = random.once(in: 2) ? emitter.signal : emitter.signal.map { $0 }
      owner.withLock { owner in
        guard let owner else { return }
        chain.subscribe(with: owner) { [token = life.token()] _, _ in token.touch() }
      }
      let jitter = [random.jitter(), random.jitter()]
      var acts: [@Sendable () -> Void] = [
        {
          spin(jitter[0])
          owner.value = nil
        }
      ]
      if sends {
        acts.append {
          spin(jitter[1])
          for value in 0..<5 { emitter.send(value) }
        }
      }
      return Encounter(events: sends ? 5 : 0, acts: acts) {
        let count = emitter.subscriberCount
        judge.check(
          count == 0 && life.alive == 0, "subscription bound to an owner (laws 7 and 9)",
          expected: "over after the owner's end, when subscriberCount is asked",
          seen: "\(count) subscriptions and \(life.alive) closures")
        emitter.finish()
      }
    }
  }

  /// A subscription that was disposed before its owner was deallocated is looked at once more, when the graph has long freed what it knew of it.
  static let ownerGoneAfterDisposal = Meeting("owner-gone-after-disposal") { random, judge in
    let emitter = Emitter<Int>()
    let owner = Guarded<Owner?>(Owner())
    let chain = random.once(in: 2) ? emitter.signal : emitter.signal.map { $0 }
    let subscription = owner.withLock { owner in owner.map { chain.subscribe(with: $0) { _, _ in } } }
    let churn = random.below(2) * (200 + random.below(200))
    let sweeps = random.below(3)
    let jitter = [random.jitter(), random.jitter()]
    return Encounter(
      subscriptions: churn + 1,
      acts: [
        {
          spin(jitter[0])
          subscription?.dispose()
          // What the graph keeps of ended chains gives way to these.
          for _ in 0..<churn { emitter.signal.map { $0 }.subscribe { _ in }.dispose() }
          let canaries = Canaries()
          owner.value = nil
          _ = emitter.subscriberCount
          if let change = canaries.firstChange {
            judge.fail(
              "memory of a disposed subscription", expected: "nothing writes to memory that was freed",
              seen: "a block of \(change.size) bytes was changed at byte \(change.offset)")
          }
        },
        {
          spin(jitter[1])
          for _ in 0..<sweeps { _ = emitter.subscriberCount }
        },
      ]
    ) { emitter.finish() }
  }

  /// A property or an emitter that a signal is bound to is released while values come and others read it: it has the values in order, and the
  /// binding is over with it.
  static let boundTargetGone = Meeting("bound-target-gone") { random, judge in
    let count = 1 + random.below(60)
    let source = Emitter<Int>()
    let (property, emitter) = (Guarded<Property<Int>?>(Property(-1)), Guarded<Emitter<Int>?>(Emitter<Int>()))
    let seen = Guarded<[Int]>([])
    let bag = DisposeBag()
    let chain = random.once(in: 2) ? source.signal : source.signal.map { $0 }
    property.withLock { property in
      guard let property else { return }
      chain.bind(to: property)
      property.signal.subscribe { value in seen.withLock { $0.append(value) } }.store(in: bag)
    }
    emitter.withLock { emitter in
      guard let emitter else { return }
      chain.bind(to: emitter)
    }
    let jitter = [random.jitter(), random.jitter(), random.jitter()]
    return Encounter(
      events: 2 * count, subscriptions: 3,
      acts: [
        {
          spin(jitter[0])
          for value in 0..<count { source.send(value) }
        },
        {
          spin(jitter[1])
          property.value = nil
        },
        {
          spin(jitter[2])
          emitter.value = nil
        },
      ]
    ) {
      judge.check(
        source.subscriberCount == 0, "bindings whose targets are gone (laws 7 and 9)",
        expected: "over when subscriberCount is asked", seen: "\(source.subscriberCount) subscriptions")
      let values = seen.value
      judge.check(
        zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "values of a bound property (law 2)",
        expected: "in order", seen: "\(values)")
      source.finish()
      bag.disposeAll()
    }
  }
}
