import Probes
import SignalTesting
import Signals
import Testing

/// Delivers whether there is a certain value.
@Suite("contains")
struct ContainsTests {
  @Test("Law 9: the first such value decides; the source is left at that moment")
  func found() {
    marbles { m in
      let digits = m.hot("                                      -1-2-3-|", of: Int.self)
      m.expect(digits.signal.contains(2).asLetters, "           ---(t|)")
      m.expect(digits.signal.contains(where: isBig).asLetters, "-----(t|)")
      m.expectSubscriptions(of: digits, "           ^--!", "           ^----!")
    }
  }

  @Test("without such a value, the end decides; without a value too")
  func notFound() {
    marbles { m in
      let digits = m.hot("                                      -1-2-|", of: Int.self)
      m.expect(digits.signal.contains(7).asLetters, "           -----(f|)")
      m.expect(digits.signal.contains(where: isBig).asLetters, "-----(f|)")
      m.expectSubscriptions(of: digits, "             ^----!", "             ^----!")

      let empty = m.hot("                           --|", of: Int.self)
      m.expect(empty.signal.contains(1).asLetters, "--(f|)")
    }
  }

  @Test("without an end, and after a failure, there is no answer")
  func nothing() {
    marbles { m in
      let never = m.hot("                           -1--", of: Int.self)
      m.expect(never.signal.contains(2).asLetters, "----")

      let failing = m.hot("                           -1-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.contains(2).asLetters, "---#", error: Failure(number: 1))
    }
  }

  @Test("each subscription looks for itself; of values at one moment the first decides")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("        -1-(232)-|", of: Int.self)
      let result = digits.signal.contains(where: isBig)
      m.expect(result.asLetters, "---(t|)")
      m.expect(result.asLetters, "  ---(t|)", subscription: "--^")
      m.expect(result.asLetters, "  -----(f|)", subscription: "----^")
    }
  }

  @Test("the closure is not called again when it has decided; an endless source is read no further")
  func endless() {
    let calls = Journal<Int>()
    marbles { m in
      let result = Signal.sequence(1...).contains { value in
        calls.append(value)
        return value == 3
      }
      m.expect(result.asLetters, "{t|}")
    }
    #expect(calls.entries == [1, 2, 3])
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                                      -1-0-3-|", of: Int.self)
      m.expect(digits.signal.contains(where: isBig).asLetters, "---#", error: Failure())
      m.expectSubscriptions(of: digits, "                       ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes")
  func disposal() {
    marbles { m in
      let digits = m.hot("               -1-2-3-|", of: Int.self)
      m.expect(digits.signal.contains(3).asLetters, "--------", subscription: "^--!")
      m.expectSubscriptions(of: digits, "^--!")
    }
  }

  @Test("Law 7: who disposes at the answer is not told of the end", arguments: [2, 7])
  func disposalAtAnswer(element: Int) {
    let emitter = Emitter<Int>()
    let log = EventLog<Bool>()
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.contains(element).subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    emitter.send(2)
    emitter.finish()
    #expect(log.events == [.value(element == 2)])
    #expect(emitter.subscriberCount == 0)
  }

  @Test(
    "Law 2: what a handler sends while it has the answer changes nothing; the source is left before the end is told")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<Bool>()
    let countAtEnd = Box<Int?>(nil)
    let subscription = emitter.signal.contains(2).handle { _ in emitter.send(2) }
      .handle(onFinish: { countAtEnd.value = emitter.subscriberCount }).log(to: log)
    emitter.send(1)
    emitter.send(2)
    #expect(log.events == [.value(true), .finished])
    #expect(subscription.isDisposed && countAtEnd.value == 0)
  }

  @Test("Law 11: what a handler throws at the answer is the failure", arguments: [2, 7])
  func throwingBelow(element: Int) {
    let emitter = Emitter<Int>()
    let log = EventLog<Bool>()
    let subscription = emitter.signal.contains(element).map { _ -> Bool in throw Failure(number: 3) }.log(to: log)
    emitter.send(2)
    emitter.finish()
    #expect(log.events == [.failed(Failure(number: 3))])
    #expect(subscription.isDisposed && emitter.subscriberCount == 0)
  }
}

/// Throws for 0.
private func isBig(_ number: Int) throws -> Bool {
  if number == 0 { throw Failure() }
  return number > 2
}
