import Dispatch
import Probes
import Testing

@testable import Signals

@Suite("Law 7: disposal while values are on their way through a hop", .timeLimit(.minutes(20)))
struct HopDisposalTests {
  private static let hops: [(String, @Sendable (Signal<LifeCount.Token>, any Scheduler) -> Signal<LifeCount.Token>)] = [
    ("receive(on:)", { $0.receive(on: $1) }),
    ("delay", { $0.delay(for: .milliseconds(3), on: $1) }),
    ("debounce", { $0.debounce(for: .milliseconds(3), on: $1) }),
    ("throttle", { $0.throttle(for: .milliseconds(3), on: $1, latest: false) }),
    ("throttle, latest", { $0.throttle(for: .milliseconds(3), on: $1, latest: true) }),
  ]

  @Test("what waits is released, nothing comes, and no work is pending", arguments: 0..<5, [false, true])
  func whatWaits(row: Int, isRecorded: Bool) throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let count = Box(0)
    let recorder = GraphRecorder()
    func subscribe() -> Subscription {
      let token = life.token()
      return Self.hops[row].1(emitter.signal, scheduler).subscribe { _ in
        token.touch()
        count.value += 1
      }
    }
    let subscription = isRecorded ? recorder.record { subscribe() } : subscribe()
    for _ in 0..<10 { emitter.send(life.token()) }
    #expect(life.alive > 1)
    #expect(scheduler.pendingCount > 0)
    if isRecorded { #expect(!recorder.pendingWork.isEmpty) }
    subscription.dispose()
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
    #expect(recorder.pendingWork.isEmpty)
    emitter.send(life.token())
    try scheduler.run()
    #expect(count.value == 0)
    #expect(life.alive == 0)
  }

  @Test("on a queue that is busy, what waits and the chain are released at once", arguments: 0..<5)
  func busyQueue(row: Int) {
    let known = KnownQueue()
    let mayGoOn = DispatchSemaphore(value: 0)
    known.queue.async { mayGoOn.wait() }
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let count = Box(0)
    func subscribe() -> Subscription {
      let token = life.token()
      return Self.hops[row].1(emitter.signal, .queue(known.queue)).subscribe { _ in
        token.touch()
        count.value += 1
      }
    }
    let subscription = subscribe()
    for _ in 0..<10 { emitter.send(life.token()) }
    #expect(life.alive > 1)
    subscription.dispose()
    #expect(life.alive == 0)
    mayGoOn.signal()
    known.settle()
    #expect(count.value == 0)
  }

  @Test("on the queue itself: once dispose has returned, nothing comes", arguments: 0..<5)
  func onTheQueue(row: Int) {
    for _ in 0..<50 {
      let known = KnownQueue()
      let life = LifeCount()
      let emitter = Emitter<LifeCount.Token>()
      let isDisposed = Box(false)
      let late = Box(0)
      let subscription = Self.hops[row].1(emitter.signal, .queue(known.queue)).subscribe { _ in
        if isDisposed.value { late.withLock { $0 += 1 } }
      }
      onThreads {
        for _ in 0..<300 { emitter.send(life.token()) }
      } _: {
        known.queue.sync {
          subscription.dispose()
          isDisposed.value = true
        }
      }
      known.settle()
      #expect(late.value == 0)
      #expect(life.alive == 0)
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("from elsewhere: at most the call that is running goes on", arguments: 0..<5)
  func fromElsewhere(row: Int) {
    for _ in 0..<50 {
      let known = KnownQueue()
      let life = LifeCount()
      let emitter = Emitter<LifeCount.Token>()
      let check = GrammarCheck<Void>()
      let subscription = Self.hops[row].1(emitter.signal, .queue(known.queue)).subscribe { _ in check.take(.value(())) }
      let before = Box(0)
      onThreads {
        for _ in 0..<300 { emitter.send(life.token()) }
      } _: {
        subscription.dispose()
        before.value = check.values
      }
      known.settle()
      #expect(check.values <= before.value + 1)
      #expect(check.overlaps == 0)
      #expect(life.alive == 0)
    }
  }

  @Test("a virtual time that nobody advances any more goes with its holders", arguments: 0..<5, [false, true])
  func abandoned(row: Int, isDisposed: Bool) {
    weak var weakScheduler: VirtualTimeScheduler?
    do {
      let scheduler = VirtualTimeScheduler()
      weakScheduler = scheduler
      let emitter = Emitter<LifeCount.Token>()
      let life = LifeCount()
      let subscription = Self.hops[row].1(emitter.signal, scheduler).subscribe { _ in }
      for _ in 0..<2 { emitter.send(life.token()) }
      #expect(scheduler.pendingCount > 0)
      if isDisposed { subscription.dispose() }
      withExtendedLifetime(subscription) {}
    }
    #expect(weakScheduler == nil)
  }
}
