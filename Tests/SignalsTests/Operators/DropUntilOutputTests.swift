import Probes
import SignalTesting
import Signals
import Testing

/// Leaves out values until another signal delivers its first one.
@Suite("drop(untilOutputFrom:)")
struct DropUntilOutputTests {
  @Test("Law 9: from the trigger's first value on all values come, and the trigger is left at that moment")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-c-d-|")
      let trigger = m.hot("               ----x-y-|")
      m.expect(
        letters.signal.drop(untilOutputFrom: trigger.signal),
        "                                 -----c-d-|")
      m.expectSubscriptions(of: letters, "^--------!")
      m.expectSubscriptions(of: trigger, "^---!")
    }
  }

  @Test("a trigger that finishes without a value: no value comes any more, only the end")
  func triggerFinishes() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               --|")
      m.expect(
        letters.signal.drop(untilOutputFrom: trigger.signal),
        "                                 -------|")
      m.expectSubscriptions(of: letters, "^------!")
      m.expectSubscriptions(of: trigger, "^-!")
    }
  }

  @Test("a trigger that fails fails the result while it is awaited; afterwards nobody hears of it")
  func triggerFails() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               --#", error: Failure(number: 2))
      m.expect(
        letters.signal.drop(untilOutputFrom: trigger.signal),
        "                                 --#", error: Failure(number: 2))
      m.expectSubscriptions(of: letters, "^-!")

      let others = m.hot("                -a-b-c-|")
      let later = m.hot("                 --x-#")
      m.expect(
        others.signal.drop(untilOutputFrom: later.signal),
        "                                 ---b-c-|")
    }
  }

  @Test("the source's own end or failure comes first: the trigger is left")
  func sourceEnds() {
    marbles { m in
      let finishing = m.hot("             -a-|")
      let trigger = m.hot("               ------x-|")
      m.expect(
        finishing.signal.drop(untilOutputFrom: trigger.signal),
        "                                 ---|")
      m.expectSubscriptions(of: trigger, "^--!")

      let failing = m.hot("               -a-#", error: Failure(number: 1))
      let second = m.hot("                ------x-|")
      m.expect(
        failing.signal.drop(untilOutputFrom: second.signal),
        "                                 ---#", error: Failure(number: 1))
      m.expectSubscriptions(of: second, " ^--!")
    }
  }

  @Test(
    "the trigger is subscribed to first: one that delivers at once lets all values pass, also those inside subscribe")
  func triggerAtOnce() {
    marbles { m in
      let letters = m.cold("{ab}c|")
      m.expect(
        letters.signal.drop(untilOutputFrom: .just(1)),
        "                   {ab}c|")
      // The second value of the same source that lets values pass does so for itself too.
      let shared = m.hot("-a-b-c-|")
      m.expect(
        shared.signal.drop(untilOutputFrom: shared.signal.dropFirst()),
        "                 ---b-c-|")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               ------x-|")
      m.expect(
        letters.signal.drop(untilOutputFrom: trigger.signal),
        "                                 --------", subscription: "^---!")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: trigger, "^---!")
    }
  }

  @Test("each subscription waits for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b-c-d-|")
      let trigger = m.hot("--x---y-|")
      let result = letters.signal.drop(untilOutputFrom: trigger.signal)
      m.expect(result, "   ---b-c-d-|")
      m.expect(result, "   -------d-|", subscription: "---^")
    }
  }
}
