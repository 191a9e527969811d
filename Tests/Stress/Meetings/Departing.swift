import Foundation
import Signals
import Synchronization

/// The closures of those who left are freed while values still wait: their number is bounded (laws 7 and 15).
extension Meeting {
  /// How many dead closures may wait for their release. Much less than how many come and go in a round.
  private static let bound = 1_000

  /// One thread: each value's handler sends the next one, and somebody comes and goes.
  static let departedWhileWaiting = Meeting("departed-while-waiting") { random, judge in
    let emitter = Emitter<Int>()
    let life = Life()
    let count = 3_000
    let most = Atomic<Int>(0)
    let subscription = emitter.signal.subscribe { value in
      if value > 0 { emitter.send(value - 1) }
      emitter.signal.subscribe { [token = life.token()] _ in token.touch() }.dispose()
      most.max(life.alive, ordering: .relaxed)
    }
    return Encounter(events: count, subscriptions: count, acts: [{ emitter.send(count) }]) {
      let most = most.load(ordering: .relaxed)
      judge.check(
        most <= bound, "backlog of departed subscribers (law 15)",
        expected: "at most \(bound) closures that wait for release",
        seen: "\(most) of \(count)")
      subscription.dispose()
    }
  }

  /// Two senders that never let go, and one thread that comes and goes.
  static let churn = Meeting("churn") { random, judge in
    let emitter = Emitter<Int>(replay: random.below(2))
    let life = Life()
    let isOver = Atomic<Bool>(false)
    let count = 3_000
    let sent = Atomic<Int>(0)
    let heard = Atomic<Int>(0)
    let listener = emitter.signal.subscribe { _ in heard.add(1, ordering: .relaxed) }
    let send: @Sendable () -> Void = {
      while !isOver.load(ordering: .acquiring) {
        // Where values cost more than sending them, as when they are traced on a busy machine, what waits would take minutes to deliver.
        guard sent.load(ordering: .relaxed) - heard.load(ordering: .relaxed) < 10_000 else {
          sched_yield()
          continue
        }
        emitter.send(1)
        sent.add(1, ordering: .relaxed)
      }
    }
    return Encounter(
      events: count, subscriptions: count,
      acts: [
        {
          // A thread that leaves the gate takes the closures out, and releases them after that: if it is interrupted in
          // between, they wait for it, while the other one delivers. Then each of the two senders has as many.
          let share = bound / 2
          var allowed = share
          for _ in 0..<count {
            emitter.signal.subscribe { [token = life.token()] _ in token.touch() }.dispose()
            guard life.alive > allowed else { continue }
            // A value that is on its way keeps the places of all who were there; the next ones do not.
            let before = heard.load(ordering: .relaxed)
            patiently { heard.load(ordering: .relaxed) > before + 10 }
            let alive = life.alive
            allowed = alive > allowed ? allowed + share : share
            judge.check(
              allowed <= 3 * share, "backlog of departed subscribers (law 15)",
              expected: "at most \(3 * share) closures that wait for release, after 10 values each time",
              seen: "\(alive)")
            if allowed > 3 * share { break }
          }
          isOver.store(true, ordering: .releasing)
        },
        send, send,
      ]
    ) {
      judge.check(
        heard.load(ordering: .relaxed) == sent.load(ordering: .relaxed) && life.alive == 0, "no value lost (law 3)",
        expected: "\(sent.load(ordering: .relaxed)) values, and no closure alive",
        seen: "\(heard.load(ordering: .relaxed)), and \(life.alive)")
      listener.dispose()
    }
  }
}
