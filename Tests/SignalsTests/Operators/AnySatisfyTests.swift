import Probes
import SignalTesting
import Signals
import Testing

/// Delivers whether a closure accepts at least one value.
@Suite("anySatisfy")
struct AnySatisfyTests {
  @Test("Law 9: the first value that the closure accepts decides; the source is left at that moment")
  func decided() {
    marbles { m in
      let digits = m.hot("                                  -1-2-3-|", of: Int.self)
      m.expect(digits.signal.anySatisfy(isFine).asLetters, "---(t|)")
      m.expectSubscriptions(of: digits, "                   ^--!")

      let atOnce = m.cold("                                 {12}-3-|", of: Int.self)
      m.expect(atOnce.signal.anySatisfy(isFine).asLetters, "{t|}")
      m.expectSubscriptions(of: atOnce, "                   (^!)")
    }
  }

  @Test("otherwise the end decides, also without a value")
  func undecided() {
    marbles { m in
      let digits = m.hot("                                  -1-1-|", of: Int.self)
      m.expect(digits.signal.anySatisfy(isFine).asLetters, "-----(f|)")
      m.expectSubscriptions(of: digits, "                   ^----!")

      let empty = m.hot("                                  --|", of: Int.self)
      m.expect(empty.signal.anySatisfy(isFine).asLetters, "--(f|)")
    }
  }

  @Test("without an end, and after a failure, there is no answer")
  func nothing() {
    marbles { m in
      let never = m.hot("                                  -1--", of: Int.self)
      m.expect(never.signal.anySatisfy(isFine).asLetters, "----")

      let failing = m.hot("                                  -1-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.anySatisfy(isFine).asLetters, "---#", error: Failure(number: 1))
    }
  }

  @Test("each subscription looks for itself")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("        -2-1-|", of: Int.self)
      let result = digits.signal.anySatisfy(isFine)
      m.expect(result.asLetters, "-(t|)")
      m.expect(result.asLetters, "  -----(f|)", subscription: "--^")
    }
  }

  @Test("the closure is not called again when it has decided; an endless source is read no further")
  func endless() {
    let calls = Journal<Int>()
    marbles { m in
      let result = Signal.sequence(1...).anySatisfy { value in
        calls.append(value)
        return try isFine(value)
      }
      m.expect(result.asLetters, "{t|}")
    }
    #expect(calls.entries == [1, 2])
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                                  -1-0-3-|", of: Int.self)
      m.expect(digits.signal.anySatisfy(isFine).asLetters, "---#", error: Failure())
      m.expectSubscriptions(of: digits, "                   ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let digits = m.hot("               -1-1-2-|", of: Int.self)
      m.expect(digits.signal.anySatisfy(isFine).asLetters, "--------", subscription: "^--!")
      m.expectSubscriptions(of: digits, "^--!")
    }
  }

  @Test("Laws 2 and 7: what a handler sends at the answer changes nothing; who disposes there is not told of the end")
  func reentrant() {
    let emitter = Emitter<Int>()
    let log = EventLog<Bool>()
    let kept = Box<Subscription?>(nil)
    let result = emitter.signal.anySatisfy(isFine).handle { _ in emitter.send(2) }
    kept.value = result.log(to: log)
    emitter.send(2)
    #expect(log.events == [.value(true), .finished])

    let short = EventLog<Bool>()
    kept.value = result.subscribeToEvents { event in
      short.append(event)
      kept.value?.dispose()
    }
    emitter.send(2)
    #expect(short.values.count == 1 && short.ends.isEmpty)
    #expect(emitter.subscriberCount == 0)
  }
}

/// Throws for 0.
private func isFine(_ number: Int) throws -> Bool {
  if number == 0 { throw Failure() }
  return number > 1
}
