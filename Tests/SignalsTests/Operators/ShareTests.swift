import Signals
import Testing

@Suite("share")
struct ShareTests {
  @Test("one subscription upstream, from the first to the last; then anew")
  func counts() {
    let emitter = Emitter<Int>()
    let starts = Box(0)
    let shared = emitter.signal.handle(onSubscribe: { starts.value += 1 }).share()
    let log = EventLog<Int>()
    for round in 1...2 {
      let first = shared.log(to: log)
      let second = shared.log(to: log)
      #expect(emitter.subscriberCount == 1)
      emitter.send(round)
      first.dispose()
      first.dispose()
      #expect(emitter.subscriberCount == 1)
      second.dispose()
      #expect(emitter.subscriberCount == 0)
      #expect(starts.value == round)
    }
    #expect(log.values == [1, 1, 2, 2])
  }

  @Test("nobody has to keep the signal")
  func unkept() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.share().log(to: log)
    emitter.send(1)
    #expect(log.values == [1])
    withExtendedLifetime(subscription) {}
  }

  @Test("replay belongs to the running subscription; the end begins anew")
  func replay() {
    let emitter = Emitter<Int>()
    let shared = emitter.signal.share(replay: 2)
    let logs = (0..<3).map { _ in EventLog<Int>() }
    let first = shared.log(to: logs[0])
    for value in 1...3 { emitter.send(value) }
    let second = shared.log(to: logs[1])
    #expect(logs[1].values == [2, 3])
    first.dispose()
    second.dispose()
    let third = shared.log(to: logs[2])
    #expect(logs[2].values.isEmpty)
    let cold = Signal.sequence(1...2).share(replay: 5)
    for _ in 0..<2 {
      let log = EventLog<Int>()
      let subscription = cold.log(to: log)
      #expect(log.events == [.value(1), .value(2), .finished])
      #expect(subscription.isDisposed)
    }
    third.dispose()
  }

  @Test("a subscriber whose chain throws counts as gone", arguments: [0, 1])
  func throwing(replay: Int) {
    let emitter = Emitter<Int>(replay: 1)
    emitter.send(0)
    let shared = emitter.signal.share(replay: replay)
    let keeper = shared.subscribe { _ in }
    let log = EventLog<Int>()
    let throwing = shared.map { _ -> Int in throw Failure() }.log(to: log)
    keeper.dispose()
    emitter.send(1)
    #expect(log.events == [.failed(Failure())])
    #expect(emitter.subscriberCount == 0)
    #expect(throwing.isDisposed)
  }

  @Test("subscribing and leaving on several threads ends with nobody upstream")
  func racing() {
    let emitter = Emitter<Int>()
    let shared = emitter.signal.share(replay: 1)
    onThreads(4) { thread in
      for index in 0..<200 {
        let subscription = shared.prefix(3).subscribe { _ in }
        if thread == 0 { emitter.send(index) }
        subscription.dispose()
      }
    }
    #expect(emitter.subscriberCount == 0)
  }

  @Test("Law 8: a subscriber that throws and is disposed elsewhere at the same moment leaves once", arguments: [0, 1])
  func leavesOnce(replay: Int) {
    for round in 0..<3_000 {
      let emitter = Emitter<Int>()
      let shared = emitter.signal.share(replay: replay)
      let log = EventLog<Int>()
      let sibling = shared.log(to: log)
      let isAboutToThrow = Box(false)
      let thrower = shared.map { value in
        isAboutToThrow.value = true
        for _ in 0..<round % 50 { _ = isAboutToThrow.value }
        throw Failure(number: value)
      }.subscribe(onFailure: { _ in })
      onThreads {
        emitter.send(1)
      } _: {
        while !isAboutToThrow.value {}
        thrower.dispose()
      }
      #expect(emitter.subscriberCount == 1, "round \(round)")
      emitter.send(2)
      #expect(log.values == [1, 2], "round \(round)")
      sibling.dispose()
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("Law 9: one that was disposed before it got there does not count")
  func disposedBefore() {
    for _ in 0..<500 {
      let emitter = Emitter<Int>()
      let shared = emitter.signal.share()
      let stop = Emitter<Int>()
      // Connected from inside a gate, so that another thread can dispose it before the shared signal has it.
      let start = Emitter<Int>()
      let subscription = start.signal.flatMap { _ in shared }.prefix(untilOutputFrom: stop.signal).subscribe { _ in }
      onThreads {
        start.send(1)
      } _: {
        stop.send(1)
      }
      subscription.dispose()
      #expect(emitter.subscriberCount == 0)
    }
  }

  @Test("Law 9: one that was disposed before it got there does not begin the source, which may be endless")
  func disposedWhileSubscribing() {
    let outer = Emitter<Int>()
    let delivered = Box(0)
    let starts = Box(0)
    let kept = Box<Subscription?>(nil)
    let shared = Signal.sequence(0..<1_000).handle(
      onSubscribe: { starts.value += 1 }, onValue: { _ in delivered.value += 1 }
    ).share()
    kept.value = outer.signal.flatMap { _ in
      shared.handle(onSubscribe: { kept.value?.dispose() })
    }.subscribe { _ in }
    outer.send(1)
    #expect(delivered.value == 0 && starts.value == 0)
    // The next one begins it.
    let log = EventLog<Int>()
    shared.prefix(2).log(to: log).dispose()
    #expect(log.events == [.value(0), .value(1), .finished])
    #expect(starts.value == 1)
  }
}
