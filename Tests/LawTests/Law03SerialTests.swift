import Probes
import Signals
import Testing

@Suite("Law 3: serial, none lost, none doubled")
struct Law03SerialTests {
  @Test("Law 3: values of several threads are serialised", arguments: [0, 2])
  func emitter(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let check = GrammarCheck<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.subscribeToEvents { event in check.take(event) { log.append(event) } }
    onThreads(4) { thread in
      for index in 0..<1_000 { emitter.send(thread * 1_000 + index) }
    }
    #expect(check.overlaps == 0)
    #expect(log.values.sorted() == Array(0..<4_000))
    #expect(emitter.sentCount == 4_000)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 3: state in an operator is safe with two sources on two threads")
  func merged() {
    let emitters = [Emitter<Int>(), Emitter<Int>()]
    let last = Box(0)
    let subscription = emitters[0].signal.merge(with: emitters[1].signal).scan(0) { sum, _ in sum + 1 }
      .subscribe { last.value = $0 }
    onThreads(4) { thread in
      for index in 0..<1_000 { emitters[thread % 2].send(index) }
    }
    #expect(last.value == 4_000)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 3: a subscriber that is being handed the memory is not called beside that")
  func welcome() {
    for _ in 0..<50 {
      let emitter = Emitter<Int>(replay: 4)
      for value in 0..<4 { emitter.send(value) }
      let check = GrammarCheck<Int>()
      let subscription = Box<Subscription?>(nil)
      onThreads {
        for value in 4..<60 { emitter.send(value) }
      } _: {
        // State without a lock, as in an operator: the thread sanitizer sees whether one delivery happens before the next.
        subscription.value = emitter.signal.scan(0) { sum, value in sum + value }.subscribeToEvents { check.take($0) }
      }
      #expect(check.overlaps == 0)
      #expect(check.values >= 4)
    }
  }
}
