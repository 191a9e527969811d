import Probes
import SignalTesting
import Signals
import Testing

/// Delivers values until another signal delivers its first one.
@Suite("prefix(untilOutputFrom:)")
struct PrefixUntilOutputTests {
  @Test("Law 9: the trigger's first value is the end, and both are left at that moment")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-c-d-|")
      let trigger = m.hot("               ------x-y-|")
      m.expect(
        letters.signal.prefix(untilOutputFrom: trigger.signal),
        "                                 -a-b-c|")
      m.expectSubscriptions(of: letters, "^-----!")
      m.expectSubscriptions(of: trigger, "^-----!")
    }
  }

  @Test("the trigger may be of any type")
  func otherType() {
    marbles { m in
      let letters = m.hot("-a-b-c-|")
      m.expect(
        letters.signal.prefix(untilOutputFrom: m.hot("----1", of: Int.self).signal),
        "                  -a-b|")
    }
  }

  @Test("the source's own end or failure comes first: the trigger is left")
  func sourceEnds() {
    marbles { m in
      let finishing = m.hot("             -a-|")
      let trigger = m.hot("               ------x-|")
      m.expect(
        finishing.signal.prefix(untilOutputFrom: trigger.signal),
        "                                 -a-|")
      m.expectSubscriptions(of: trigger, "^--!")

      let failing = m.hot("              -a-#", error: Failure(number: 1))
      let second = m.hot("               ------x-|")
      m.expect(
        failing.signal.prefix(untilOutputFrom: second.signal),
        "                                -a-#", error: Failure(number: 1))
      m.expectSubscriptions(of: second, "^--!")
    }
  }

  @Test("a trigger that finishes without a value changes nothing")
  func triggerFinishes() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               --|")
      m.expect(
        letters.signal.prefix(untilOutputFrom: trigger.signal),
        "                                 -a-b-c-|")
      m.expectSubscriptions(of: trigger, "^-!")
    }
  }

  @Test("a trigger that fails fails the result, and the source is left")
  func triggerFails() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               --#", error: Failure(number: 2))
      m.expect(
        letters.signal.prefix(untilOutputFrom: trigger.signal),
        "                                 -a#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("at one moment: a value that was sent before the trigger's still comes, one that was sent after it does not")
  func sameMoment() {
    marbles { m in
      let before = m.hot(" ---a")
      let trigger = m.hot("---x")
      let after = m.hot("  ---a")
      m.expect(
        before.signal.prefix(untilOutputFrom: trigger.signal),
        "                  ---(a|)")
      m.expect(
        after.signal.prefix(untilOutputFrom: trigger.signal),
        "                  ---|")
    }
  }

  @Test("the trigger is subscribed to first: one that delivers at once leaves no value to come")
  func triggerAtOnce() {
    marbles { m in
      let letters = m.cold("{ab}c|")
      m.expect(
        letters.signal.prefix(untilOutputFrom: .just(1)),
        "                   {|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("neither sends anything")
  func nothing() {
    marbles { m in
      let never = m.hot("                 ----")
      let trigger = m.hot("               ----")
      m.expect(
        never.signal.prefix(untilOutputFrom: trigger.signal),
        "                                 ----")
      m.expectSubscriptions(of: never, "  ^")
      m.expectSubscriptions(of: trigger, "^")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               ------x-|")
      m.expect(
        letters.signal.prefix(untilOutputFrom: trigger.signal),
        "                                 -a-b----", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: trigger, "^---!")
    }
  }

  @Test("an endless source stops at the trigger that one of its own values sets off")
  func endless() {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = Signal.sequence(1...).prefix(untilOutputFrom: emitter.signal).handle {
      if $0 == 3 { emitter.send(0) }
    }.log(to: log)
    #expect(log.events == [.value(1), .value(2), .value(3), .finished])
    #expect(emitter.subscriberCount == 0 && subscription.isDisposed)
  }
}
