import Probes
import SignalTesting
import Signals
import Testing

@Suite("retry(when:)")
struct RetryWhenTests {
  @Test("each value of the other signal that comes while it waits begins the source anew")
  func values() {
    marbles { m in
      let letters = m.cold("                                 -a-#")
      let go = m.hot("                                       x----x---x---x--|")
      m.expect(letters.signal.retry(when: { _ in go.signal }), "-a----a---a---a-|")
      m.expectSubscriptions(
        of: letters,
        "                                                    ^--!",
        "                                                    -----^--!",
        "                                                    ---------^--!",
        "                                                    -------------^--!")
      m.expectSubscriptions(of: go, "                        ^---------------!")
    }
  }

  @Test("the end of the other signal finishes the result, its failure fails it; the source is left")
  func ends() {
    marbles { m in
      let letters = m.cold("                                   -a-----")
      let (over, broken) = (m.cold("--|"), m.cold("            --#", error: Failure(number: 2)))
      m.expect(letters.signal.retry(when: { _ in over.signal }), "-a|")
      m.expect(letters.signal.retry(when: { _ in broken.signal }), "-a#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "                     ^-!", "^-!")
    }
  }

  @Test("the closure gets the failures; what it makes of them decides")
  func failures() {
    marbles { m in
      let letters = m.cold("-a-#", error: Failure(number: 7))
      let seen = Journal<Failure?>()
      let result = letters.signal.retry(when: { failures in
        failures.scan(0) { count, error in
          seen.append(error as? Failure)
          if count == 2 { throw error }
          return count + 1
        }
      })
      m.expect(result, "-a--a--a-#", error: Failure(number: 7))
      m.expect(letters.signal.retry(when: { _ in Signal<Int>.empty() }), "{|}")
    }
  }

  @Test("Law 11: what the closure throws is the failure, and the source is not begun")
  func throwing() {
    marbles { m in
      let letters = m.cold("-a-#")
      let result = letters.signal.retry(when: { _ -> Signal<Int> in throw Failure(number: 4) })
      m.expect(result, "{#}", error: Failure(number: 4))
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("a source that finishes is not begun anew, and the other signal is left")
  func finishing() {
    marbles { m in
      let letters = m.cold("                                  -a-|")
      let go = m.hot("                                        ------x")
      m.expect(letters.signal.retry(when: { _ in go.signal }), "-a-|")
      m.expectSubscriptions(of: go, "                         ^--!")
    }
  }

  @Test("Law 7: after an early disposal both are left")
  func disposal() {
    marbles { m in
      let letters = m.cold("                                  -a-#")
      let go = m.hot("                                        -----x-x")
      m.expect(letters.signal.retry(when: { _ in go.signal }), "-a----a----", subscription: "^------!")
      m.expectSubscriptions(of: letters, "                    ^--!", "-----^-!")
      m.expectSubscriptions(of: go, "                         ^------!")
    }
  }

  @Test("100,000 failures in a row inside subscribe need no stack")
  func deep() {
    let starts = Box(0)
    let log = EventLog<Int>()
    Signal<Int>.deferred {
      starts.withLock { $0 += 1 }
      return .fail(Failure())
    }.retry(when: { $0.prefix(100_000) }).log(to: log).dispose()
    #expect(starts.value >= 100_000)
    #expect(log.events == [.finished])
  }

  @Test("Law 9: what the closure made is released with the subscription")
  func release() {
    let life = LifeCount()
    let numbers = Emitter<Int>()
    func subscribe(_ token: LifeCount.Token) -> Subscription {
      numbers.signal.retry(when: { failures in failures.handle { _ in token.touch() } }).subscribe { _ in token.touch()
      }
    }
    let subscription = subscribe(life.token())
    #expect(life.alive == 1)
    subscription.dispose()
    #expect(life.alive == 0)
  }
}
