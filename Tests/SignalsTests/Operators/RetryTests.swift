import Probes
import SignalTesting
import Signals
import Testing

/// Subscribes again when the signal fails, up to a number of times.
@Suite("retry")
struct RetryTests {
  @Test("a failure begins the source anew, so many times; the failure after that passes")
  func values() {
    marbles { m in
      let letters = m.cold("             -a-#", error: Failure(number: 1))
      m.expect(letters.signal.retry(2), "-a--a--a-#", error: Failure(number: 1))
      m.expectSubscriptions(
        of: letters,
        "                                ^--!",
        "                                ---^--!",
        "                                ------^--!")
    }
  }

  @Test("a source that finishes is not begun anew")
  func finishing() {
    marbles { m in
      let letters = m.cold("              -a-b-|")
      m.expect(letters.signal.retry(2), " -a-b-|")
      m.expectSubscriptions(of: letters, "^----!")
    }
  }

  @Test("0 or less: the first failure passes", arguments: [0, -1, Int.min])
  func none(limit: Int) {
    marbles { m in
      let letters = m.cold("                 -a-#", error: Failure(number: 1))
      m.expect(letters.signal.retry(limit), "-a-#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "   ^--!")
    }
  }

  @Test("Law 7: without a limit it goes on until an early disposal")
  func endless() {
    marbles { m in
      let letters = m.cold("            -a-#")
      m.expect(letters.signal.retry(), "-a--a--a----", subscription: "^-------!")
      m.expectSubscriptions(
        of: letters,
        "                               ^--!",
        "                               ---^--!",
        "                               ------^-!")
    }
  }

  @Test("Law 9: without a limit it goes on until nobody wants more, also with a source that fails inside subscribe")
  func enough() {
    marbles { m in
      let digits = m.cold("{1#}", of: Int.self)
      m.expect(
        digits.signal.retry().prefix(3),
        "                  {111|}")
      m.expectSubscriptions(
        of: digits,
        "                  (^!)",
        "                  (^!)",
        "                  (^!)")
    }
  }

  @Test("a source that fails inside subscribe is begun anew so many times", arguments: [Int.min, -1, 0, 1, 3])
  func atOnce(limit: Int) {
    let starts = Box(0)
    let log = EventLog<Int>()
    let subscription = Signal<Int>.concat([.just(1), .fail(Failure())]).handle(onSubscribe: { starts.value += 1 })
      .retry(limit).log(to: log)
    let count = max(0, limit) + 1
    #expect(starts.value == count)
    #expect(log.events == Array(repeating: .value(1), count: count) + [.failed(Failure())])
    #expect(subscription.isDisposed)
  }

  @Test("until it works")
  func flaky() {
    let starts = Box(0)
    let flaky = Signal<Int>.deferred {
      starts.value += 1
      return starts.value < 5 ? .fail(Failure()) : .just(starts.value)
    }
    marbles { m in m.expect(flaky.retry(), "{5|}") }
  }

  @Test("Law 10: a source that has failed for good fails each attempt at once")
  func hot() {
    marbles { m in
      let letters = m.hot("              -a-#", error: Failure(number: 1))
      m.expect(letters.signal.retry(2), "-a-#", error: Failure(number: 1))
      m.expectSubscriptions(
        of: letters,
        "                                ^--!",
        "                                ---(^!)",
        "                                ---(^!)")
    }
  }

  @Test("nothing, and only the end")
  func nothing() {
    marbles { m in
      let never = m.cold("              ----")
      m.expect(never.signal.retry(2), " ----")
      m.expectSubscriptions(of: never, "^")

      let empty = m.cold("              --|")
      m.expect(empty.signal.retry(2), " --|")
      m.expectSubscriptions(of: empty, "^-!")
    }
  }

  @Test("each subscription counts for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.cold("-a#", error: Failure(number: 1))
      let result = letters.signal.retry(1)
      m.expect(result, "    -a-a#", error: Failure(number: 1))
      m.expect(result, "    ------a-a#", error: Failure(number: 1), subscription: "-----^")
    }
  }

  @Test("Law 11: what a closure below throws is no failure of the source: it passes, and nothing is begun anew")
  func throwingBelow() {
    marbles { m in
      let letters = m.cold("              -a-b-|")
      let result = letters.signal.retry(2).map { letter in
        if letter == "b" { throw Failure(number: 3) }
        return letter
      }
      m.expect(result, "                  -a-#", error: Failure(number: 3))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("100,000 failures in a row inside subscribe need no stack")
  func deep() {
    let starts = Box(0)
    let log = EventLog<Int>()
    Signal<Int>.deferred {
      starts.withLock { $0 += 1 }
      return .fail(Failure())
    }.retry(100_000).log(to: log).dispose()
    #expect(starts.value == 100_001)
    #expect(log.events == [.failed(Failure())])
  }
}
