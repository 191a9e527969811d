import Probes
import SignalTesting
import Signals
import Testing

/// Makes a signal of events.
@Suite("dematerialize")
struct DematerializeTests {
  /// A full stop is the end, an x a failure.
  private static func events(_ texts: Signal<String>) -> Signal<Event<String>> {
    texts.map { text in
      switch text {
      case ".": .finished
      case "x": .failed(Failure(number: 1))
      default: .value(text)
      }
    }
  }

  @Test("values come out of their events; the first event that is an end is the end, and the source is left (law 9)")
  func values() {
    marbles { m in
      let texts = m.hot("                                  -a-b-.-c-|")
      m.expect(Self.events(texts.signal).dematerialize(), "-a-b-|")
      m.expectSubscriptions(of: texts, "                   ^----!")

      let failing = m.hot("                                  -a-x-c-|")
      m.expect(Self.events(failing.signal).dematerialize(), "-a-#", error: Failure(number: 1))
      m.expectSubscriptions(of: failing, "                   ^--!")

      let atOnce = m.cold("                                 {ab.c}-|")
      m.expect(Self.events(atOnce.signal).dematerialize(), "{ab|}")
    }
  }

  @Test("the end and the failure of the source itself pass; nothing is nothing")
  func ends() {
    marbles { m in
      let texts = m.hot("                                  -a-|")
      m.expect(Self.events(texts.signal).dematerialize(), "-a-|")

      let failing = m.hot("                                  -a-#", error: Failure(number: 2))
      m.expect(Self.events(failing.signal).dematerialize(), "-a-#", error: Failure(number: 2))

      let never = m.hot("                                  ----")
      m.expect(Self.events(never.signal).dematerialize(), "----")
    }
  }

  @Test("it undoes materialize, whatever the source does")
  func both() {
    marbles { m in
      let letters = m.hot("                                   -a-b-|")
      m.expect(letters.signal.materialize().dematerialize(), "-a-b-|")

      let failing = m.hot("                                   -a-#", error: Failure(number: 1))
      m.expect(failing.signal.materialize().dematerialize(), "-a-#", error: Failure(number: 1))

      let atOnce = m.cold("                                  {ab|}")
      m.expect(atOnce.signal.materialize().dematerialize(), "{ab|}")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let texts = m.hot("               -a-b-.")
      m.expect(Self.events(texts.signal).dematerialize(), "-a----", subscription: "^-!")
      m.expectSubscriptions(of: texts, "^-!")
    }
  }

  @Test("Law 2: what a handler sends comes afterwards, and nothing comes after an end that it sends")
  func reentrant() {
    let emitter = Emitter<Event<Int>>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.dematerialize().handle { value in
      if value == 1 {
        emitter.send(.value(2))
        emitter.send(.finished)
        emitter.send(.value(3))
      }
    }.log(to: log)
    emitter.send(.value(1))
    #expect(log.events == [.value(1), .value(2), .finished])
    #expect(subscription.isDisposed && emitter.subscriberCount == 0)
  }

  @Test("an endless source is read no further than to the end")
  func endless() {
    marbles { m in
      let events = Signal.sequence(1...).map { $0 < 3 ? Event.value($0) : .finished }
      m.expect(events.dematerialize(), "{12|}")
    }
  }
}
