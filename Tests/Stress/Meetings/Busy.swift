import Foundation
import SignalGraph
import Signals
import Synchronization

/// Sources that are written without a pause while something else begins: a subscription, or tracing.
extension Meeting {
  /// Subscribing to a source that remembers values returns, though another thread sends faster than the handler works (laws 2, 3, 6 and 12).
  static let busyNewcomer = Meeting("busy-newcomer") { random, judge in
    // Far more than a subscribing thread that another one takes over from delivers: 16, or a few times as many on a busy machine.
    let most = 250
    let property = Property(0)
    let emitter = Emitter<Int>(replay: 1 + random.below(3))
    emitter.send(0)
    let usesProperty = random.once(in: 2)
    let signal = usesProperty ? property.signal : emitter.signal
    let send: @Sendable (Int) -> Void = { if usesProperty { property.value = $0 } else { emitter.send($0) } }
    let check = CallCheck(judge, "the subscriber")
    let kept = Guarded<Subscription?>(nil)
    let sent = Atomic<Int>(0)
    let last = Atomic<Int>(-1)
    let hereCount = Atomic<Int>(0)
    let hasBegun = Atomic<Bool>(false)
    let hasReturned = Atomic<Bool>(false)
    let isSenderDone = Atomic<Bool>(false)
    let pause = 1_000 * random.below(4)
    return Encounter(
      events: 100,
      acts: [
        {
          patiently { hasBegun.load(ordering: .acquiring) }
          var value = 0
          // Ends only when subscribing has returned, or would not: a number of values would be sent in one turn where both threads share a core.
          while hereCount.load(ordering: .relaxed) < most, !hasReturned.load(ordering: .acquiring) {
            value += 1
            send(value)
            sent.store(value, ordering: .releasing)
            if value.isMultiple(of: 8) { sched_yield() } else { spin(pause) }
          }
          isSenderDone.store(true, ordering: .releasing)
        },
        {
          let subscriber = ObjectIdentifier(Thread.current)
          kept.value = signal.map { $0 }.subscribe { value in
            check.call(isEnd: false) {
              hasBegun.store(true, ordering: .releasing)
              let before = last.exchange(value, ordering: .relaxed)
              judge.check(
                value == before + 1, "each value in order (laws 2 and 12)", expected: "\(before + 1)", seen: "\(value)")
              guard ObjectIdentifier(Thread.current) == subscriber else { return }
              if !isSenderDone.load(ordering: .acquiring) { hereCount.add(1, ordering: .relaxed) }
              // For each value that this thread handles, the sender sends two.
              let enough = sent.load(ordering: .acquiring) + 2
              patiently { sent.load(ordering: .acquiring) >= enough || isSenderDone.load(ordering: .acquiring) }
            }
          }
          hasReturned.store(true, ordering: .releasing)
        },
      ]
    ) {
      let here = hereCount.load(ordering: .relaxed)
      judge.check(
        here < most, "subscribing returns",
        expected: "fewer than \(most) values while others come on the subscribing thread",
        seen: "\(here)")
      judge.check(
        last.load(ordering: .relaxed) == sent.load(ordering: .relaxed), "last value (law 12)",
        expected: "\(sent.load(ordering: .relaxed))", seen: "\(last.load(ordering: .relaxed))")
      judge.check(
        property.waitingCount + emitter.waitingCount == 0, "queue depth when all is quiet", expected: "0",
        seen: "\(property.waitingCount + emitter.waitingCount)")
      kept.value = nil
    }
  }

  /// Tracing begins for properties that are written at that moment: what is written afterwards has a cause.
  static let busyTracing = Meeting("busy-tracing") { random, judge in
    let rounds = 500
    // A recorder of its own, as the round itself turns tracing of the process on and off; the property belongs to it too.
    let recorder = GraphRecorder(endedLimit: 10)
    let (property, subscription) = recorder.record {
      let property = Property(0)
      return (property, property.signal.subscribe { _ in })
    }
    let written = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    let lost = Atomic<Int>(0)
    let hasCauses: @Sendable () -> Bool = {
      let snapshot = recorder.snapshot()
      let source = snapshot.nodes.first { node in snapshot.edges.allSatisfy { $0.target != node.id } }
      return source?.causes?.isEmpty == false
    }
    return Encounter(
      events: rounds,
      acts: [
        {
          while !isOver.load(ordering: .acquiring) {
            property.value &+= 1
            written.add(1, ordering: .releasing)
            // Else the other thread, where it delivers, might never be done.
            while property.waitingCount > 16, !isOver.load(ordering: .acquiring) { sched_yield() }
          }
        },
        {
          for _ in 0..<rounds {
            recorder.traceHandlers(true)
            // So most rounds wait for no other thread, and many fit into the time in which both run at once.
            property.value &+= 1
            if !hasCauses() {
              // The other thread may have been inside. Of two values that are counted from here on, the second was written while tracing was on.
              let enough = written.load(ordering: .acquiring) + 2
              patiently { written.load(ordering: .acquiring) >= enough }
              if !hasCauses() { lost.add(1, ordering: .relaxed) }
            }
            recorder.traceHandlers(false)
          }
          isOver.store(true, ordering: .releasing)
        },
      ]
    ) {
      let count = lost.load(ordering: .relaxed)
      judge.check(
        count == 0, "tracing of a busy property",
        expected: "a cause for each value that is written while tracing is on",
        seen: "none in \(count) of \(rounds) rounds")
      subscription.dispose()
    }
  }
}
