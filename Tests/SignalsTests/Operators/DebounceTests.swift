import Probes
import SignalTesting
import Signals
import Testing

/// Delivers a value once nothing has come for a while after it.
@Suite("debounce")
struct DebounceTests {
  private let rest = Duration.milliseconds(3)

  @Test("of values that follow each other closely, the last comes, when it has been quiet")
  func values() {
    marbles { m in
      let letters = m.hot("               -ab-c------d-----|")
      m.expect(
        letters.signal.debounce(for: rest, on: m.scheduler),
        "                                 -------c------d--|")
      m.expectSubscriptions(of: letters, "^----------------!")
    }
  }

  @Test("a value that comes exactly when the time is up is in time to replace the one before; a frame later it is not")
  func boundary() {
    marbles { m in
      let inTime = m.hot("-a--b-----|")
      m.expect(
        inTime.signal.debounce(for: rest, on: m.scheduler),
        "                 -------b--|")

      let late = m.hot("-a---b-----|")
      m.expect(
        late.signal.debounce(for: rest, on: m.scheduler),
        "               ----a---b--|")
    }
  }

  @Test("Law 16: the end brings the value that waits with it, at once")
  func finishing() {
    marbles { m in
      let letters = m.hot("               -a-b|")
      m.expect(
        letters.signal.debounce(for: rest, on: m.scheduler),
        "                                 ----(b|)")
      m.expectSubscriptions(of: letters, "^---!")

      let together = m.hot("-(ab|)")
      m.expect(
        together.signal.debounce(for: rest, on: m.scheduler),
        "                   -(b|)")
    }
  }

  @Test("a failure comes at once, and the value that waits does not")
  func failure() {
    marbles { m in
      let letters = m.hot("               -a-b#", error: Failure(number: 1))
      m.expect(
        letters.signal.debounce(for: rest, on: m.scheduler),
        "                                 ----#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("nothing, only the end, and one value")
  func few() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.debounce(for: rest, on: m.scheduler),
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.debounce(for: rest, on: m.scheduler),
        "                --|")

      let one = m.hot("               -a------")
      m.expect(
        one.signal.debounce(for: rest, on: m.scheduler),
        "                             ----a---")
      m.expectSubscriptions(of: one, "^")
    }
  }

  @Test("Law 14: what comes inside subscribe is delivered on the scheduler, the end and a failure too")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab}--c")
      m.expect(
        letters.signal.debounce(for: rest, on: m.scheduler),
        "                   -----c-")

      let finishing = m.cold("{ab|}")
      m.expect(
        finishing.signal.debounce(for: rest, on: m.scheduler),
        "                     (b|)")

      let failing = m.cold("{a#}", error: Failure(number: 1))
      m.expect(
        failing.signal.debounce(for: rest, on: m.scheduler),
        "                   #", error: Failure(number: 1))
    }
  }

  @Test(
    "a time of zero or less delivers at the same moment, of several values of one moment the last",
    arguments: [Duration.zero, .seconds(-1)])
  func zero(rest: Duration) {
    marbles { m in
      let letters = m.hot("-a-(bc)-(d|)")
      m.expect(
        letters.signal.debounce(for: rest, on: m.scheduler),
        "                  -a-c-(d|)")
    }
  }

  @Test("each subscription measures for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-a-b------|")
      let result = letters.signal.debounce(for: rest, on: m.scheduler)
      m.expect(result, "   ------b---|")
      m.expect(result, "   ------b---|", subscription: "--^")
      m.expect(result, "   ----------|", subscription: "----^")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, nor does what waits; the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a----b-c-|")
      m.expect(
        letters.signal.debounce(for: rest, on: m.scheduler),
        "                                 ----a--------", subscription: "^------!")
      m.expectSubscriptions(of: letters, "^------!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the source is left at that moment")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -a----b-|")
      let result = letters.signal.debounce(for: rest, on: m.scheduler).map { _ -> String in throw Failure() }
      m.expect(result, "                  ----#", error: Failure())
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("the value that waits is dropped with a failure, before the failure is delivered")
  func dropping() {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let subscription = emitter.signal.debounce(for: rest, on: scheduler).subscribe(onFailure: { _ in })
    for _ in 0..<5 { emitter.send(life.token()) }
    #expect(life.alive == 1)
    emitter.fail(Failure())
    #expect(life.alive == 0)
    // The failure is on its way.
    #expect(scheduler.pendingCount == 1)
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
  }
}
