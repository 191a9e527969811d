import Probes
import SignalTesting
import Signals
import Testing

/// Delivers events as values.
@Suite("materialize")
struct MaterializeTests {
  private static func texts(of letters: Signal<String>) -> Signal<String> {
    letters.materialize().map { event in
      switch event {
      case .value(let text): text
      case .failed(let error): error as? Failure == Failure(number: 1) ? "x" : "?"
      case .finished: "."
      }
    }
  }

  @Test("values come as events at their own moment, and the end as the last value")
  func values() {
    marbles { m in
      let letters = m.hot("                     -a-b-|")
      m.expect(Self.texts(of: letters.signal), "-a-b-(.|)")
      m.expectSubscriptions(of: letters, "      ^----!")

      let atOnce = m.cold("                    {ab|}")
      m.expect(Self.texts(of: atOnce.signal), "{ab.|}")
    }
  }

  @Test("a failure is a value too, and then the result finishes")
  func failure() {
    marbles { m in
      let letters = m.hot("                     -a-#", error: Failure(number: 1))
      m.expect(Self.texts(of: letters.signal), "-a-(x|)")
      m.expectSubscriptions(of: letters, "      ^--!")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      let never = m.hot("                     ----")
      m.expect(Self.texts(of: never.signal), "----")

      let empty = m.hot("                     --|")
      m.expect(Self.texts(of: empty.signal), "--(.|)")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(Self.texts(of: letters.signal), "-a----", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("Law 7: who disposes at the last event is not told of the end", arguments: [false, true])
  func disposalAtEnd(isFailed: Bool) {
    let emitter = Emitter<Int>()
    let log = EventLog<Event<Int>>()
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.materialize().subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    if isFailed { emitter.fail(Failure(number: 1)) } else { emitter.finish() }
    #expect(log.events == [.value(isFailed ? .failed(Failure(number: 1)) : .finished)])
  }

  @Test("Law 11: what is thrown below is a failure of what is below, and comes as no event", arguments: [1, 2])
  func throwingBelow(position: Int) {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let events = EventLog<Int>()
    let subscription = emitter.signal.materialize().scan(0) { count, event in
      events.append(event)
      if count + 1 == position { throw Failure(number: 4) }
      return count + 1
    }.log(to: log)
    emitter.send(7)
    emitter.finish()
    #expect(log.ends == [.failed(Failure(number: 4))])
    #expect(events.events == Array([.value(7), .finished].prefix(position)))
    #expect(subscription.isDisposed && emitter.subscriberCount == 0)
  }

  @Test("Law 2: what a handler sends comes after the event that it has")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<Event<Int>>()
    let subscription = emitter.signal.materialize().handle { event in
      if event == .value(1) { emitter.send(2) }
      if event == .value(2) { emitter.finish() }
    }.log(to: log)
    emitter.send(1)
    #expect(log.events == [.value(.value(1)), .value(.value(2)), .value(.finished), .finished])
    #expect(subscription.isDisposed)
  }

  @Test("an endless source is read as far as somebody takes events")
  func endless() {
    let log = EventLog<Event<Int>>()
    let subscription = Signal.sequence(1...).materialize().prefix(2).log(to: log)
    #expect(log.values == [.value(1), .value(2)])
    #expect(subscription.isDisposed)
  }
}
