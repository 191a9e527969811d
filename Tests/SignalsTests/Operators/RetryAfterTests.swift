import SignalTesting
import Signals
import Testing

/// Subscribes again some time after a failure.
@Suite("retry(after:)")
struct RetryAfterTests {
  private let wait = Backoff.constant(.milliseconds(2))

  @Test("each attempt begins so long after the failure; the failure after the last one passes at once")
  func values() {
    marbles { m in
      let letters = m.cold("                                    -a-#", error: Failure(number: 1))
      m.expect(letters.signal.retry(2, after: wait, on: m.scheduler), "-a----a----a-#", error: Failure(number: 1))
      m.expectSubscriptions(
        of: letters,
        "                                                      ^--!",
        "                                                      -----^--!",
        "                                                      ----------^--!")
    }
  }

  @Test("delays that grow, up to their limit")
  func growing() {
    marbles { m in
      let failing = m.cold("#", error: Failure(number: 1))
      let backoff = Backoff.exponential(first: .milliseconds(1), factor: 3, limit: .milliseconds(5))
      m.expect(failing.signal.retry(4, after: backoff, on: m.scheduler), "--------------#", error: Failure(number: 1))
      m.expectSubscriptions(
        of: failing,
        "(^!)",
        "-(^!)",
        "----(^!)",
        "---------(^!)",
        "--------------(^!)")
    }
  }

  @Test("a source that finishes is not begun anew")
  func finishing() {
    marbles { m in
      let letters = m.cold("                                 -a-|")
      m.expect(letters.signal.retry(after: wait, on: m.scheduler), "-a-|")
      m.expectSubscriptions(of: letters, "                   ^--!")
      let never = m.cold("                                   ---")
      m.expect(never.signal.retry(after: wait, on: m.scheduler), "---")
    }
  }

  @Test("0 or less: the first failure passes", arguments: [0, -1, Int.min])
  func none(limit: Int) {
    marbles { m in
      let letters = m.cold("-a-#", error: Failure(number: 1))
      m.expect(letters.signal.retry(limit, after: wait, on: m.scheduler), "-a-#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("a value resets the count and the delays, if it is asked to; without that, it does not")
  func resetting() {
    let growing = Backoff.linear(first: .milliseconds(1), step: .milliseconds(1))
    func attempts(_ test: MarbleTest, _ text: String...) -> Signal<String> {
      let numbers = Box(0)
      let inputs = text.map { test.cold($0, error: $0.contains("#") ? Failure(number: 1) : nil).signal }
      return .deferred {
        numbers.value += 1
        return inputs[min(numbers.value, inputs.count) - 1]
      }
    }
    marbles { m in
      // Fails at 0, 1, 3 (the third attempt delivers) and again.
      let with = attempts(m, "#", "#", "a#", "#", "b|")
      m.expect(
        with.retry(2, after: growing, on: m.scheduler, resettingOnValue: true),
        // 0 +1, 1 +2, 3: a, fails at 4, +1, 5 +2, 7: b.
        "---a---b|")
      let without = attempts(m, "#", "#", "a#")
      m.expect(without.retry(2, after: growing, on: m.scheduler), "---a#", error: Failure(number: 1))
    }
  }

  @Test("jitter comes from the generator: the same delays for the same numbers, for each subscription")
  func jitter() {
    marbles { m in
      let failing = m.cold("#", error: Failure(number: 1))
      let half = failing.signal.retry(
        2, after: .constant(.milliseconds(8), jitter: 1), on: m.scheduler, using: HalfGenerator())
      m.expect(half, "--------#", error: Failure(number: 1))
      m.expect(half, "----------#", error: Failure(number: 1), subscription: "--^")
    }
  }

  @Test("Law 7: disposed while it waits, it begins nothing any more, and nothing is left scheduled")
  func disposal() throws {
    let scheduler = VirtualTimeScheduler()
    let starts = Box(0)
    let subscription = Signal<Int>.deferred {
      starts.value += 1
      return .fail(Failure())
    }.retry(after: wait, on: scheduler).subscribe { _ in }
    try scheduler.advance(by: .milliseconds(3))
    #expect(starts.value == 2)
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
    try scheduler.run()
    #expect(starts.value == 2)
  }

  @Test("100,000 failures in a row on a scheduler that runs all at once need no stack")
  func deep() {
    let starts = Box(0)
    let log = EventLog<Int>()
    Signal<Int>.deferred {
      starts.withLock { $0 += 1 }
      return .fail(Failure())
    }.retry(100_000, after: wait, on: .immediate).log(to: log).dispose()
    #expect(starts.value == 100_001)
    #expect(log.events == [.failed(Failure())])
  }
}

/// Numbers in the middle of whatever is asked for.
private struct HalfGenerator: RandomNumberGenerator {
  func next() -> UInt64 { 1 << 63 }
}

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
