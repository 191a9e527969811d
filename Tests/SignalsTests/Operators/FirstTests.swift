import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the first value, or the first that meets a condition, and then finishes.
@Suite("first")
struct FirstTests {
  @Test("Law 9: the first value brings the end with it, and the source is left at that moment")
  func first() {
    marbles { m in
      let letters = m.hot("               ---a-b-|")
      m.expect(letters.signal.first(), "  ---(a|)")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("the first value that meets the condition; none before it, and none after")
  func condition() {
    marbles { m in
      let digits = m.hot("                         -1-5-2-7-|", of: Int.self)
      m.expect(digits.signal.first { $0 > 3 }, "   ---(5|)")
      m.expectSubscriptions(of: digits, "          ^--!")
    }
  }

  @Test("without such a value: the source's own end, or its failure")
  func none() {
    marbles { m in
      let empty = m.hot("                      ---|", of: Int.self)
      m.expect(empty.signal.first(), "         ---|")
      m.expect(empty.signal.first { _ in true }, "---|")

      let small = m.hot("                      -1-2-|", of: Int.self)
      m.expect(small.signal.first { $0 > 3 }, "-----|")

      let failing = m.hot("                       -1-#", of: Int.self, error: Failure(number: 1))
      m.expect(failing.signal.first { $0 > 3 }, " ---#", error: Failure(number: 1))

      let broken = m.hot("               --#", of: Int.self, error: Failure(number: 1))
      m.expect(broken.signal.first(), "  --#", error: Failure(number: 1))

      let never = m.hot("              ----", of: Int.self)
      m.expect(never.signal.first(), " ----")
      m.expectSubscriptions(of: never, "^")
    }
  }

  @Test("of several values of one moment, and of those inside subscribe, one comes")
  func sameMoment() {
    marbles { m in
      let together = m.hot("               -(abc)-|")
      m.expect(together.signal.first(), "  -(a|)")
      let atOnce = m.cold("                {abc}-|")
      m.expect(atOnce.signal.first(), "    {a|}")
      m.expectSubscriptions(of: atOnce, "  (^!)")
      m.expect(Signal.sequence(1...).first { $0 > 2 }, "{3|}")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure, and the source is left; it is not asked again")
  func throwing() {
    let asked = Journal<String>()
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let result = letters.signal.first { letter in
        asked.append(letter)
        if letter == "x" { throw Failure(number: 2) }
        return false
      }
      m.expect(result, "                  ---#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")
    }
    #expect(asked.entries == ["a", "x"])
  }

  @Test("Law 7: after an early disposal nothing comes, and the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               ---a-|")
      m.expect(letters.signal.first(), "  -----", subscription: "^-!")
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("Law 2: what the handler sends while it has the value does not come; the subscription is over at the end")
  func sending() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.first().handle { emitter.send($0 + 1) }.log(to: log)
    emitter.send(1)
    #expect(log.events == [.value(1), .finished])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }
}
