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
}
