import Signals
import Testing

@Suite("Law 2: flatMap with a limit keeps the order in which values came")
struct FlatMapOrderTests {
  @Test("a value that comes while others wait for their turn waits behind them")
  func newValueWaits() {
    let outer = Emitter<Int>()
    let inner = (0..<4).map { _ in Emitter<Int>() }
    let log = EventLog<Int>()
    let started = Journal<Int>()
    let subscription = outer.signal.flatMap(maxConcurrent: 1) { value in
      started.append(value)
      return inner[value].signal
    }.handle(onFinish: {}).log(to: log)
    outer.send(0)
    outer.send(1)
    // The first ends inside a handler, and a new value comes before the gate has started the one that waits.
    let sending = inner[0].signal.subscribe(onFinish: { outer.send(2) })
    inner[0].finish()
    #expect(started.entries == [0, 1])
    inner[1].finish()
    #expect(started.entries == [0, 1, 2])
    withExtendedLifetime((subscription, sending)) {}
  }

  @Test("also when the value is sent by the end of the signal that was running")
  func endThatSends() {
    let outer = Emitter<Int>()
    let started = Journal<Int>()
    let first = Emitter<Int>()
    let subscription = outer.signal.flatMap(maxConcurrent: 1) { value -> Signal<Int> in
      started.append(value)
      return value == 0 ? first.signal.handle(onFinish: { outer.send(2) }) : .just(value)
    }.subscribe { _ in }
    outer.send(0)
    outer.send(1)
    first.finish()
    #expect(started.entries == [0, 1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test("a value that follows an end on the same thread does not overtake, on any of several threads")
  func threads() {
    for _ in 0..<300 {
      let outer = Emitter<Int>()
      let gates = (0..<40).map { _ in Emitter<Int>() }
      let started = Journal<Int>()
      let subscription = outer.signal.flatMap(maxConcurrent: 1) { value in
        started.append(value)
        return gates[value].signal
      }.subscribe { _ in }
      onThreads {
        for value in 0..<40 { outer.send(value) }
      } _: {
        for gate in gates { gate.finish() }
      }
      #expect(started.entries == started.entries.sorted())
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(
    "Law 7: values that wait for their turn are not made into signals once a handler has disposed",
    arguments: [false, true])
  func disposedWhileWaiting(isRecorded: Bool) {
    let outer = Emitter<Int>()
    let first = Emitter<Int>()
    let made = Journal<Int>()
    let kept = Box<Subscription?>(nil)
    func subscribe() -> Subscription {
      outer.signal.flatMap(maxConcurrent: 1) { value in
        made.append(value)
        return value == 1 ? first.signal : .just(value)
      }.subscribe { _ in kept.value?.dispose() }
    }
    kept.value = isRecorded ? GraphRecorder().record { subscribe() } : subscribe()
    for value in 1...4 { outer.send(value) }
    first.finish()
    #expect(made.entries == [1, 2])
    #expect(outer.subscriberCount == 0)
  }
}
