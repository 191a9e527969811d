import Foundation
import Probes
import Signals
import Synchronization
import Testing

/// A source that remembers values, and how it is written.
enum RememberingSource: String, CaseIterable, Sendable {
  case property, replay, shared

  /// - Returns: The signal to subscribe to, how to send, and how many values wait.
  func make() -> (
    signal: Signal<Int>, send: @Sendable (Int) -> Void, finish: (@Sendable () -> Void)?, waiting: @Sendable () -> Int
  ) {
    switch self {
    case .property:
      let property = Property(0)
      return (property.signal, { property.value = $0 }, nil, { property.waitingCount })
    case .replay:
      let emitter = Emitter<Int>(replay: 2)
      emitter.send(0)
      return (emitter.signal, { emitter.send($0) }, { emitter.finish() }, { emitter.waitingCount })
    case .shared:
      let emitter = Emitter<Int>()
      let shared = emitter.signal.share(replay: 1, keepsRunning: true)
      shared.subscribe { _ in }.retained()
      emitter.send(0)
      return (shared, { emitter.send($0) }, { emitter.finish() }, { emitter.waitingCount })
    }
  }
}

@Suite("Subscribing to a busy source that remembers values")
struct BusySourceTests {
  private actor Reader {}

  /// Far more values than a subscribing thread that another one takes over from delivers.
  private static let valueLimit = 500

  @Test(
    "Laws 2, 3, 6, 12: subscribing returns although values come faster than the handler works",
    arguments: RememberingSource.allCases, [false, true])
  func subscribingReturns(source: RememberingSource, isOnActor: Bool) {
    let (signal, send, _, waiting) = source.make()
    let log = Box<[Int]>([])
    let kept = Box<Subscription?>(nil)
    let sent = Atomic<Int>(0)
    let hasBegun = Atomic<Bool>(false)
    let hasReturned = Atomic<Bool>(false)
    let isSenderDone = Atomic<Bool>(false)
    let countBeforeReturn = Atomic<Int>(0)
    let actor = Reader()
    onThreads {
      spin { !hasBegun.load(ordering: .acquiring) }
      var value = 0
      // Ends only when subscribing has returned, or would not: a number of values would be sent in one turn where both threads share a core.
      while countBeforeReturn.load(ordering: .relaxed) < Self.valueLimit, !hasReturned.load(ordering: .acquiring) {
        value += 1
        send(value)
        sent.store(value, ordering: .releasing)
        if value.isMultiple(of: 8) { sched_yield() }
      }
      isSenderDone.store(true, ordering: .releasing)
    } _: {
      let subscriber = ObjectIdentifier(Thread.current)
      let handle: @Sendable (Int) -> Void = { value in
        hasBegun.store(true, ordering: .releasing)
        log.withLock { $0.append(value) }
        guard ObjectIdentifier(Thread.current) == subscriber else { return }
        if !isSenderDone.load(ordering: .acquiring) { countBeforeReturn.add(1, ordering: .relaxed) }
        // For each value that this thread handles, the sender sends two.
        let enough = sent.load(ordering: .acquiring) + 2
        spin { sent.load(ordering: .acquiring) < enough && !isSenderDone.load(ordering: .acquiring) }
      }
      // The handler of an actor is below a hop, so there the operator above the hop is slow.
      kept.value =
        isOnActor
        ? signal.handle(onValue: handle).subscribe(onActor: actor) { _, _ in } : signal.subscribe(onValue: handle)
      hasReturned.store(true, ordering: .releasing)
    }
    #expect(countBeforeReturn.load(ordering: .relaxed) < Self.valueLimit)
    #expect(log.value == Array(0...sent.load(ordering: .relaxed)))
    #expect(waiting() == 0)
  }

  /// What happens to the subscription while another thread delivers what waited.
  enum Interruption: CaseIterable, Sendable {
    case none, disposedInside, released, failing, disposedBySource
  }

  @Test(
    "Laws 1, 2, 3, 7, 11: the thread that is delivering takes over, in order, up to the end",
    arguments: Interruption.allCases)
  func takingOver(interruption: Interruption) {
    let emitter = Emitter<Int>(replay: 1)
    emitter.send(0)
    let log = EventLog<Int>()
    let here = Box<Int>(0)
    let kept = Box<Subscription?>(nil)
    let isBlocking = DispatchSemaphore(value: 0)
    let hasReturned = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    let subscriber = ObjectIdentifier(Thread.current)
    let bag = DisposeBag()
    let life = LifeCount()
    let sendAll: @Sendable () -> Void = {
      for value in 1...100 { emitter.send(value) }
      emitter.finish()
      mayEnd.signal()
    }
    kept.value = emitter.signal
      .map { [token = life.token()] value in
        token.touch()
        if interruption == .failing, value == 40 { throw Failure(number: value) }
        return value
      }
      .subscribeToEvents { event in
        log.append(event)
        if ObjectIdentifier(Thread.current) == subscriber { here.withLock { $0 += 1 } }
        switch event {
        case .value(0):
          // It comes later, so that a value which waits for the first subscriber has not been handled by this one.
          emitter.signal.filter { $0 > 0 }.subscribe { value in
            guard value == 50 else { return }
            isBlocking.signal()
            hasReturned.wait()
          }.store(in: bag)
          Thread(block: sendAll).start()
          isBlocking.wait()
        case .value(40) where interruption == .disposedInside: kept.value?.dispose()
        default: break
        }
      }
    let handledBefore = log.values.count
    #expect(here.value < 30)
    #expect(emitter.waitingCount == 51 - handledBefore)
    if interruption == .released { kept.value = nil }
    if interruption == .disposedBySource { emitter.disposeAllSubscriptions() }
    hasReturned.signal()
    mayEnd.wait()
    switch interruption {
    case .none: #expect(log.values == Array(0...100) && log.ends.count == 1)
    case .disposedInside: #expect(log.values == Array(0...40) && log.ends.isEmpty)
    case .released, .disposedBySource: #expect(log.values == Array(0..<handledBefore) && log.ends.isEmpty)
    case .failing: #expect(log.values == Array(0..<40) && log.ends.count == 1)
    }
    kept.value = nil
    bag.disposeAll()
    #expect(emitter.waitingCount == 0)
    #expect(emitter.subscriberCount == 0)
    #expect(life.alive == 0)
  }

  @Test("values that come while a subscriber gets the memory count as waiting")
  func waiting() {
    let property = Property(0)
    let counts = Box<[Int]>([])
    let subscription = property.signal.subscribe { value in
      if value == 0 { onThreads { for value in 1...5 { property.value = value } } }
      counts.withLock { $0.append(property.waitingCount) }
    }
    #expect(counts.value == [5, 4, 3, 2, 1, 0])
    withExtendedLifetime(subscription) {}
  }
}
