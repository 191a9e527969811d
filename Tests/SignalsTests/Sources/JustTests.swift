import Probes
import SignalTesting
import Signals
import Testing

/// The simplest sources: one value, only a failure, only the end, nothing at all.
@Suite("just, fail, empty and never")
struct JustTests {
  @Test("just: the value and the end, inside subscribe, for each subscriber")
  func just() {
    marbles { m in
      let one = Signal.just("a")
      m.expect(one, "{a|}")
      m.expect(one, "---(a|)", subscription: "---^")
    }
  }

  @Test("Law 9: just, for one who has enough with the value, or whose closure throws over it")
  func enough() {
    marbles { m in
      m.expect(Signal.just("a").prefix(1), "{a|}")
      m.expect(
        Signal.just("a").map { _ -> String in throw Failure() },
        "                                   {#}", error: Failure())
    }
  }

  @Test("fail: the failure, inside subscribe, for each subscriber")
  func fail() {
    marbles { m in
      let failing = Signal<String>.fail(Failure(number: 1))
      m.expect(failing, "{#}", error: Failure(number: 1))
      m.expect(failing, "---#", error: Failure(number: 1), subscription: "---^")
    }
  }

  @Test("empty: the end, inside subscribe, for each subscriber")
  func empty() {
    marbles { m in
      let empty = Signal<String>.empty()
      m.expect(empty, "{|}")
      m.expect(empty, "---|", subscription: "---^")
    }
  }

  @Test("never: nothing, whether disposed or not")
  func never() {
    marbles { m in
      let never = Signal<String>.never()
      m.expect(never, "-----")
      m.expect(never, "-----", subscription: "^-!")
    }
    let log = EventLog<String>()
    let subscription = Signal<String>.never().log(to: log)
    #expect(!subscription.isDisposed)
    subscription.dispose()
    #expect(log.events == [])
  }

  @Test("what has ended is disposed when subscribe returns")
  func over() {
    let log = EventLog<Int>()
    #expect(Signal.just(1).log(to: log).isDisposed)
    #expect(Signal.fail(Failure()).log(to: log).isDisposed)
    #expect(Signal.empty().log(to: log).isDisposed)
    #expect(log.events == [.value(1), .finished, .failed(Failure()), .finished])
  }

  @Test("Law 7: a handler that disposes gets the value and not the end")
  func disposing() {
    let outer = Emitter<Int>()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = outer.signal.flatMap { _ in Signal.just(1) }.subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    outer.send(0)
    #expect(log.events == [.value(1)])
    #expect(outer.subscriberCount == 0)
  }
}
