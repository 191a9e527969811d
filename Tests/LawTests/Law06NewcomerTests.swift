import Probes
import Signals
import Testing

@Suite("Law 6: newcomers")
struct Law06NewcomerTests {
  @Test("Law 6: who subscribes during a delivery does not see the value being delivered")
  func newcomer() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    emitter.signal.subscribe { value in
      if value < 40 { emitter.signal.subscribe { log.append(.value(value * 1_000 + $0)) }.store(in: bag) }
    }.store(in: bag)
    for value in 1...40 { emitter.send(value) }
    // The n-th newcomer, who came during n, sees n + 1 and so on.
    let expected = (1...40).flatMap { value -> [Int] in (1..<value).map { number -> Int in number * 1_000 + value } }
    #expect(log.values == expected)
    #expect(emitter.subscriberCount == 40)
  }

  @Test("Law 6: who subscribes after a nested send does not see that either")
  func afterNestedSend() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    emitter.signal.subscribe { value in
      guard value == 1 else { return }
      emitter.send(2)
      emitter.signal.log(to: log).store(in: bag)
      emitter.send(3)
    }.store(in: bag)
    emitter.send(1)
    #expect(log.values == [3])
    emitter.send(4)
    #expect(log.values == [3, 4])
  }

  @Test("Law 6: with memory, a newcomer gets each value once", arguments: [1, 2, 5])
  func memory(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let log = EventLog<Int>()
    let bag = DisposeBag()
    emitter.signal.subscribe { value in
      guard value == 1 else { return }
      emitter.send(2)
      emitter.signal.log(to: log).store(in: bag)
      emitter.send(3)
    }.store(in: bag)
    emitter.send(1)
    emitter.send(4)
    #expect(log.values == (replay == 1 ? [2, 3, 4] : [1, 2, 3, 4]))
  }

  @Test("Law 6: a replay count below one is no memory", arguments: [0, -1, Int.min])
  func noMemory(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    emitter.send(1)
    let log = EventLog<Int>()
    let subscription = emitter.signal.log(to: log)
    #expect(log.events.isEmpty)
    withExtendedLifetime(subscription) {}
  }
}
