import Probes
import SignalTesting
import Signals
import Testing

/// Waits after a value, for a while or for a signal, and then delivers the newest one.
@Suite("audit")
struct AuditTests {
  private let time = Duration.milliseconds(3)

  @Test("the newest value comes so long after the first one that found none waiting")
  func values() {
    marbles { m in
      let letters = m.hot("                                     -abc---d-----e|")
      m.expect(letters.signal.audit(for: time, on: m.scheduler), "----c-----d-----(e|)")
      m.expectSubscriptions(of: letters, "                      ^-------------!")
    }
  }

  @Test("no rest follows: a value that comes right after one was delivered waits anew")
  func noRest() {
    marbles { m in
      let letters = m.hot("                                     -a---b---c---|")
      m.expect(letters.signal.audit(for: time, on: m.scheduler), "----a---b---c|")
    }
  }

  @Test("a failure comes at once, and the value that waits does not")
  func failure() {
    marbles { m in
      let letters = m.hot("                                     -ab#", error: Failure(number: 1))
      m.expect(letters.signal.audit(for: time, on: m.scheduler), "---#", error: Failure(number: 1))
    }
  }

  @Test("nothing, and only the end")
  func few() {
    marbles { m in
      let (never, empty) = (m.hot("---"), m.hot("--|"))
      m.expect(never.signal.audit(for: time, on: m.scheduler), "---")
      m.expect(empty.signal.audit(for: time, on: m.scheduler), "--|")
    }
  }

  @Test(
    "a time of zero or less delivers at the same moment, of several values of one moment the last",
    arguments: [Duration.zero, .seconds(-1)])
  func zero(time: Duration) {
    marbles { m in
      let letters = m.hot("-a-(bc)-(d|)")
      m.expect(letters.signal.audit(for: time, on: m.scheduler), "-a-c-(d|)")
    }
  }

  @Test("Law 7: after an early disposal nothing comes")
  func disposal() {
    marbles { m in
      let letters = m.hot("                                     -ab---c-|")
      m.expect(letters.signal.audit(for: time, on: m.scheduler), "----b-----", subscription: "^------!")
      m.expectSubscriptions(of: letters, "                      ^------!")
    }
  }
}

@Suite("audit(by:)")
struct AuditByTests {
  @Test("the newest value comes when the signal of the first one delivers, and that is left")
  func values() {
    marbles { m in
      let letters = m.hot("                                  -abc---d----|")
      let other = m.cold("                                    ---xy")
      m.expect(letters.signal.audit(by: { _ in other.signal }), "----c-----d-|")
      m.expectSubscriptions(of: letters, "                   ^-----------!")
      m.expectSubscriptions(of: other, "                     -^--!", "-------^--!")
    }
  }

  @Test("Law 16: the end waits for a value that waits")
  func finishing() {
    marbles { m in
      let letters = m.hot("                                  -ab|")
      let other = m.cold("                                    ----x")
      m.expect(letters.signal.audit(by: { _ in other.signal }), "-----(b|)")
      m.expectSubscriptions(of: letters, "                   ^--!")
    }
  }

  @Test("a signal that finishes without a value drops the value that waits")
  func withoutValue() {
    marbles { m in
      let letters = m.hot("                                    -ab---c-|")
      let other = m.cold("                                      --|")
      m.expect(letters.signal.audit(by: { _ in other.signal }), "--------|")
      m.expectSubscriptions(of: other, "                       -^-!", "------^-!")

      let ended = m.hot("                                      -ab|")
      let late = m.cold("                                       ----|")
      m.expect(ended.signal.audit(by: { _ in late.signal }), "  -----|")
    }
  }

  @Test("a failure of either passes at once, and the value that waits does not")
  func failure() {
    marbles { m in
      let failing = m.hot("                                  -a-#", error: Failure(number: 1))
      let never = m.cold("                                    ----")
      m.expect(failing.signal.audit(by: { _ in never.signal }), "---#", error: Failure(number: 1))

      let letters = m.hot("                                  -a-b-|")
      let other = m.cold("                                    --#", error: Failure(number: 2))
      m.expect(letters.signal.audit(by: { _ in other.signal }), "---#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "                   ^--!")
    }
  }

  @Test("Law 11: what the closure throws is the failure; it runs only when no value is waiting")
  func throwing() {
    marbles { m in
      let letters = m.hot("-abc--b-|")
      let other = m.cold("  ---x")
      let result = letters.signal.audit(by: { letter in
        if letter == "b" { throw Failure(number: 3) }
        return other.signal
      })
      m.expect(result, "   ----c-#", error: Failure(number: 3))
    }
  }

  @Test("Law 9: of a signal that delivers without end inside subscribe, one value is taken")
  func endless() {
    let taken = Box(0)
    let log = EventLog<Int>()
    let numbers = Emitter<Int>()
    let endless = Signal.sequence(sequence(first: 0) { $0 + 1 }).handle { _ in taken.withLock { $0 += 1 } }
    let subscription = numbers.signal.audit(by: { _ in endless }).log(to: log)
    for number in 1...3 { numbers.send(number) }
    #expect(log.events == [.value(1), .value(2), .value(3)])
    #expect(taken.value == 3)
    subscription.dispose()
  }
}
