import Probes
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
