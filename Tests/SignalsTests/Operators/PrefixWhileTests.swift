import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values for as long as they meet a condition.
@Suite("prefix(while:)")
struct PrefixWhileTests {
  @Test("Law 9: the first value that does not meet the condition is the end, and the source is left at that moment")
  func values() {
    marbles { m in
      let digits = m.hot("                              -1-2-5-3-|", of: Int.self)
      m.expect(digits.signal.prefix(while: { $0 < 3 }), "-1-2-|")
      m.expectSubscriptions(of: digits, "               ^----!")
    }
  }

  @Test("inclusive: that value is delivered too")
  func inclusive() {
    marbles { m in
      let digits = m.hot("                                               -1-2-5-3-|", of: Int.self)
      m.expect(digits.signal.prefix(while: { $0 < 3 }, inclusive: true), "-1-2-(5|)")
      m.expectSubscriptions(of: digits, "                                ^----!")
    }
  }

  @Test("the source's own end or failure comes first", arguments: [false, true])
  func sourceEnds(inclusive: Bool) {
    marbles { m in
      let finishing = m.hot("-1-2-|", of: Int.self)
      m.expect(
        finishing.signal.prefix(while: { $0 < 3 }, inclusive: inclusive),
        "                    -1-2-|")
      let failing = m.hot("-1-#", of: Int.self, error: Failure(number: 1))
      m.expect(
        failing.signal.prefix(while: { $0 < 3 }, inclusive: inclusive),
        "                  -1-#", error: Failure(number: 1))
      let empty = m.hot("--|", of: Int.self)
      m.expect(
        empty.signal.prefix(while: { $0 < 3 }, inclusive: inclusive),
        "                --|")
      let never = m.hot("---", of: Int.self)
      m.expect(
        never.signal.prefix(while: { $0 < 3 }, inclusive: inclusive),
        "                ---")
    }
  }

  @Test("several values of one moment, and those inside subscribe")
  func sameMoment() {
    marbles { m in
      let together = m.hot("                      -(1254)-|", of: Int.self)
      m.expect(together.signal.prefix { $0 < 3 }, "-(12|)")
      m.expect(Signal.sequence(1...).prefix { $0 < 3 }, "{12|}")
    }
  }

  @Test("Laws 9 and 11: what the closure throws is the failure; it is not asked again after the first no")
  func throwing() {
    let asked = Journal<String>()
    marbles { m in
      let letters = m.hot("               -a-x-b-|")
      let result = letters.signal.prefix { letter in
        asked.append(letter)
        if letter == "x" { throw Failure(number: 2) }
        return true
      }
      m.expect(result, "                  -a-#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^--!")
    }
    #expect(asked.entries == ["a", "x"])
  }

  @Test("Law 2: what the handler of the last value sends does not come")
  func sending() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.prefix(while: { $0 < 2 }, inclusive: true).handle { emitter.send($0 + 1) }
      .log(to: log)
    emitter.send(1)
    #expect(log.events == [.value(1), .value(2), .finished])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }

  @Test("Law 7: after an early disposal nothing comes; inclusive, one at the last value leaves no end")
  func disposal() {
    marbles { m in
      let letters = m.hot("                           -a-b-|")
      m.expect(letters.signal.prefix { _ in true }, " -a---", subscription: "^-!")
      m.expectSubscriptions(of: letters, "            ^-!")
    }
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = emitter.signal.prefix(while: { $0 < 2 }, inclusive: true)
      .handle { _ in subscription.value?.dispose() }.log(to: log)
    emitter.send(5)
    #expect(log.events == [.value(5)])
  }
}
