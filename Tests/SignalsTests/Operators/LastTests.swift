import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the last value, or the last that meets a condition, at the end.
@Suite("last")
struct LastTests {
  @Test("the last value comes with the end")
  func last() {
    marbles { m in
      let letters = m.hot("               -a-b-c--|")
      m.expect(letters.signal.last(), "   --------(c|)")
      m.expectSubscriptions(of: letters, "^-------!")
    }
  }

  @Test("the last value that meets the condition")
  func condition() {
    marbles { m in
      let digits = m.hot("                      -1-5-7-2-|", of: Int.self)
      m.expect(digits.signal.last { $0 > 3 }, " ---------(7|)")
    }
  }

  @Test("without such a value only the end; a failure comes alone")
  func none() {
    marbles { m in
      let empty = m.hot("                      ---|", of: Int.self)
      m.expect(empty.signal.last(), "          ---|")
      let small = m.hot("                      -1-2-|", of: Int.self)
      m.expect(small.signal.last { $0 > 3 }, " -----|")
      let failing = m.hot("                    -1-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.last(), "        ---#", error: Failure(number: 1))
      let never = m.hot("                      -1--", of: Int.self)
      m.expect(never.signal.last(), "          ----")
    }
  }

  @Test("of values inside subscribe")
  func atOnce() {
    marbles { m in
      m.expect(Signal.sequence(["a", "b"]).last(), "{b|}")
      m.expect(m.cold("{ab}--|").signal.last(), "   --(b|)")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left")
  func throwing() {
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let result = letters.signal.last { letter in
        if letter == "x" { throw Failure(number: 2) }
        return true
      }
      m.expect(result, "                  ---#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("Law 7: a handler that disposes at the value hears of no end; an early disposal leaves the source")
  func disposal() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = emitter.signal.last().handle { _ in subscription.value?.dispose() }.log(to: log)
    emitter.send(1)
    emitter.finish()
    // A stage that disposes passes on its own value; the end is no longer told.
    #expect(log.events == [.value(1)])

    marbles { m in
      let letters = m.hot("               -a-b-|")
      m.expect(letters.signal.last(), "   -----", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("the value that waits is freed as soon as a newer one comes, and with the subscription")
  func memory() {
    let lives = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let subscription = emitter.signal.last().subscribe { _ in }
    for _ in 0..<3 { emitter.send(lives.token()) }
    #expect(lives.alive == 1)
    subscription.dispose()
    #expect(lives.alive == 0)
  }
}
