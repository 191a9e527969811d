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
}
