import Foundation
import Probes
import Signals
import Synchronization
import Testing

/// Races whose loser must not touch what the winner has freed. The sanitizers watch these.
@Suite("Races over the end of subscriptions")
struct LawRaceTests {
  private static func operators(
    _ first: Signal<LifeCount.Token>, _ second: Signal<LifeCount.Token>
  ) -> [Signal<Int>] {
    [
      first.map { [$0] }.filter { _ in true }.map(\.count),
      combineLatest(first, second.map { $0 }).map { _ in 1 },
      zip(first, second).map { _ in 1 },
      first.withLatest(from: second).map { _ in 1 },
      first.share(replay: 1).map { _ in 1 },
    ]
  }

  @Test("Laws 3, 7 and 9: disposed on one thread while two others deliver", arguments: 0..<5)
  func disposing(row: Int) {
    let life = LifeCount()
    for round in 0..<150 {
      let first = Emitter<LifeCount.Token>()
      let second = Emitter<LifeCount.Token>()
      let signal = Self.operators(first.signal, second.signal)[row]
      let subscription = Box<Subscription?>(signal.subscribe { [token = life.token()] _ in token.touch() })
      onThreads {
        for _ in 0..<20 { first.send(life.token()) }
      } _: {
        for _ in 0..<20 { second.send(life.token()) }
      } _: {
        for _ in 0..<round % 7 { _ = first.subscriberCount }
        subscription.value?.dispose()
      }
      // What is shared keeps its memory for as long as somebody keeps the subscription.
      subscription.value = nil
      #expect(life.alive == 0, "round \(round)")
      #expect(first.subscriberCount == 0 && second.subscriberCount == 0)
    }
  }

  @Test("Laws 7 and 10: released on one thread while the source ends on another", arguments: [false, true])
  func releasing(isRecorded: Bool) {
    let body: @Sendable () -> Void = {
      for _ in 0..<100 {
        let emitter = Emitter<Int>()
        let subscriptions = (0..<100).map { _ in
          Box<Subscription?>(emitter.signal.map { $0 }.filter { _ in true }.subscribe { _ in })
        }
        onThreads {
          emitter.finish()
        } _: {
          for subscription in subscriptions { subscription.value = nil }
        }
        #expect(emitter.subscriberCount == 0)
      }
    }
    // Nothing that has ended is remembered, so that what is freed too early is noticed.
    if isRecorded { GraphRecorder(endedLimit: 0).record(body) } else { body() }
  }

  @Test("Law 12: updates that race with plain writes: every update is seen right after what it was made of")
  func updating() {
    let property = Property(0)
    let log = EventLog<Int>()
    let subscription = property.signal.log(to: log)
    onThreads {
      for value in 1...1_000 { property.value = value << 20 }
    } _: {
      for _ in 0..<1_000 { property.update { $0 += 1 } }
    }
    let values = log.values
    #expect(values.count == 2_001)
    for (old, new) in zip(values, values.dropFirst()) where new != old + 1 {
      if new & 0xFFFFF != 0 || new >> 20 != (old >> 20) + 1 { Issue.record("\(new) after \(old)") }
    }
    #expect(values.last == property.value)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 12: who is told of a value by a handler reads it or a newer one")
  func told() {
    let property = Property(0)
    let told = Box(0)
    let subscription = property.signal.subscribe { told.value = $0 }
    onThreads {
      for value in 1...5_000 { property.value = value }
    } _: {
      for _ in 0..<5_000 {
        let heard = told.value
        let read = property.value
        if read < heard { Issue.record("read \(read) after \(heard)") }
      }
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 5: who ends all subscriptions delivers no value of another thread")
  func endingAllBesideSends() {
    let emitter = Emitter<Int>()
    let strayCount = Atomic<Int>(0)
    meeting(40_000) { _ in
      let subscription = emitter.signal.subscribe { _ in }
      emitter.disposeAllSubscriptions()
      withExtendedLifetime(subscription) {}
    } _: { round in
      let sender = ObjectIdentifier(Thread.current)
      let subscription = emitter.signal.subscribe { _ in
        if ObjectIdentifier(Thread.current) != sender { strayCount.add(1, ordering: .relaxed) }
      }
      emitter.send(round)
      subscription.dispose()
    }
    #expect(strayCount.load(ordering: .relaxed) == 0)
  }

  @Test("Laws 4, 7 and 15: everything at once on one emitter, and nothing is left", arguments: [0, 1, 3])
  func everything(replay: Int) {
    for _ in 0..<40 {
      let life = LifeCount()
      let emitter = Emitter<LifeCount.Token>(replay: replay)
      let run = emitter.signal.map { [$0] }.filter { !$0.isEmpty }
      onThreads {
        for _ in 0..<50 { emitter.send(life.token()) }
      } _: {
        for _ in 0..<50 { _ = run.subscribe { [token = life.token()] _ in token.touch() }.retained() }
      } _: {
        for _ in 0..<50 {
          let subscription = run.prefix(2).subscribe { [token = life.token()] _ in
            token.touch()
            emitter.disposeAllSubscriptions()
          }
          emitter.send(life.token())
          subscription.dispose()
        }
      } _: {
        for _ in 0..<25 { emitter.disposeAllSubscriptions() }
      }
      emitter.disposeAllSubscriptions()
      #expect(emitter.subscriberCount == 0)
      // What the emitter remembers.
      #expect(life.alive == replay)
    }
  }
}
