import Probes
import Synchronization
import Testing

@testable import Signals

/// The thread inside has entered the gate and not yet read the number of subscribers, which takes a few instructions.
@Suite("A subscriber that comes while values wait") struct LateSubscriberTests {
  private let emitter = Emitter<Int>()

  private func subscribe() -> (log: Journal<Int>, subscription: Subscription) {
    let log = Journal<Int>()
    return (log, emitter.signal.subscribe { log.append($0) })
  }

  /// Delivers a value as `send` does once it is inside.
  private func deliver(_ value: Int) {
    emitter.core.deliver(value, upTo: emitter.core.table.slotCount.load(ordering: .acquiring))
  }

  @Test("gets no value that was sent before it came, nor the one before that")
  func comesBehindAWaitingValue() {
    #expect(emitter.core.enter())
    emitter.send(2)
    let late = subscribe()
    deliver(1)
    emitter.core.leave()
    #expect(late.log.entries == [])
    emitter.send(3)
    #expect(late.log.entries == [3])
  }

  @Test("gets every value once it came before")
  func cameInAnEarlierBatch() {
    #expect(emitter.core.enter())
    emitter.send(1)
    let early = subscribe()
    emitter.core.leave()
    #expect(early.log.entries == [])
    #expect(emitter.core.enter())
    emitter.send(3)
    let late = subscribe()
    deliver(2)
    emitter.core.leave()
    #expect(early.log.entries == [2, 3])
    #expect(late.log.entries == [])
    emitter.send(4)
    #expect(early.log.entries == [2, 3, 4])
    #expect(late.log.entries == [4])
  }

  @Test("gets the values that wait behind it")
  func comesBetweenWaitingValues() {
    #expect(emitter.core.enter())
    emitter.send(2)
    let late = subscribe()
    emitter.send(3)
    deliver(1)
    emitter.core.leave()
    #expect(late.log.entries == [3])
  }
}
