import Probes
import SignalTesting
import Signals
import Testing

/// Counts values.
@Suite("count")
struct CountTests {
  @Test("the number comes at the end, of all values or of some")
  func values() {
    marbles { m in
      let digits = m.hot("                          -1-2-4-|", of: Int.self)
      m.expect(digits.signal.count(), "             -------(3|)")
      m.expect(digits.signal.count(where: isEven), "-------(2|)")
      m.expectSubscriptions(of: digits, "                  ^------!", "                  ^------!")
    }
  }

  @Test("no value is 0; without an end, and after a failure, there is no number")
  func nothing() {
    marbles { m in
      let empty = m.hot("                          --|", of: Int.self)
      m.expect(empty.signal.count(), "             --(0|)")
      m.expect(empty.signal.count(where: isEven), "--(0|)")

      let never = m.hot("             -1--", of: Int.self)
      m.expect(never.signal.count(), "----")

      let failing = m.hot("                          -2-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.count(), "             ---#", error: Failure(number: 1))
      m.expect(failing.signal.count(where: isEven), "---#", error: Failure(number: 1))
    }
  }

  @Test("each subscription counts for itself; values inside subscribe count")
  func subscriptions() {
    marbles { m in
      let digits = m.hot("-1-2-4-|", of: Int.self)
      let result = digits.signal.count()
      m.expect(result, "  -------(3|)")
      m.expect(result, "                -------(2|)", subscription: "--^")

      let atOnce = m.cold("            {12}-4|", of: Int.self)
      m.expect(atOnce.signal.count(), "--(3|)")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left at that moment")
  func throwing() {
    marbles { m in
      let digits = m.hot("                          -1-0-4-|", of: Int.self)
      m.expect(digits.signal.count(where: isEven), "---#", error: Failure())
      m.expectSubscriptions(of: digits, "           ^--!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and who disposes at the number is not told of the end")
  func disposal() {
    marbles { m in
      let digits = m.hot("               -1-2-4-|", of: Int.self)
      m.expect(digits.signal.count(), "--------", subscription: "^---!")
      m.expectSubscriptions(of: digits, "^---!")
    }
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = emitter.signal.count().subscribeToEvents { event in
      log.append(event)
      kept.value?.dispose()
    }
    emitter.send(1)
    emitter.finish()
    #expect(log.events == [.value(1)])
  }

  @Test("Law 3: values of several threads all count")
  func threads() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.count().log(to: log)
    onThreads(4) { _ in for value in 0..<1_000 { emitter.send(value) } }
    emitter.finish()
    #expect(log.values == [4_000])
    #expect(subscription.isDisposed)
  }
}

/// Throws for 0.
private func isEven(_ number: Int) throws -> Bool {
  if number == 0 { throw Failure() }
  return number.isMultiple(of: 2)
}
