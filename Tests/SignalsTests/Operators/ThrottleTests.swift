import Probes
import SignalTesting
import Signals
import Testing

/// Delivers a value and then nothing for a while.
@Suite("throttle")
struct ThrottleTests {
  private let rest = Duration.milliseconds(3)

  @Test("without latest: what comes during the time of rest is dropped")
  func first() {
    marbles { m in
      let letters = m.hot("               -abc---de---|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: false),
        "                                 -a-----d----|")
      m.expectSubscriptions(of: letters, "^-----------!")
    }
  }

  @Test("with latest: the newest of them follows at the end of that time, and a new time of rest begins")
  func latest() {
    marbles { m in
      let letters = m.hot("               -abc-d-------ef---|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                                 -a--c--d-----e--f-|")
      m.expectSubscriptions(of: letters, "^-----------------!")
    }
  }

  @Test("a value that comes exactly when the rest is over comes too early; a frame later it is in time")
  func boundary() {
    marbles { m in
      let early = m.hot("-a--b----|")
      m.expect(
        early.signal.throttle(for: rest, on: m.scheduler, latest: false),
        "                -a-------|")
      m.expect(
        early.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                -a--b----|")

      let inTime = m.hot("-a---b---|")
      m.expect(
        inTime.signal.throttle(for: rest, on: m.scheduler, latest: false),
        "                 -a---b---|")
      m.expect(
        inTime.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                 -a---b---|")
    }
  }

  @Test("Law 16: with latest, the end waits for the value that waits; without, it comes at once")
  func finishing() {
    marbles { m in
      let letters = m.hot("-ab|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                  -a--(b|)")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: false),
        "                  -a-|")
      m.expectSubscriptions(
        of: letters,
        "                  ^--!",
        "                  ^--!")

      let rested = m.hot("-a|")
      m.expect(
        rested.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                 -a|")
    }
  }

  @Test("a failure comes at once, and the value that waits does not", arguments: [true, false])
  func failure(latest: Bool) {
    marbles { m in
      let letters = m.hot("               -ab#", error: Failure(number: 1))
      let result = letters.signal.throttle(for: rest, on: m.scheduler, latest: latest)
      m.expect(result, "                  -a-#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("nothing, only the end, and one value", arguments: [true, false])
  func few(latest: Bool) {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.throttle(for: rest, on: m.scheduler, latest: latest),
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.throttle(for: rest, on: m.scheduler, latest: latest),
        "                --|")

      let one = m.hot("               -a------")
      m.expect(
        one.signal.throttle(for: rest, on: m.scheduler, latest: latest),
        "                             -a------")
      m.expectSubscriptions(of: one, "^")
    }
  }

  @Test("Law 14: what comes inside subscribe is delivered on the scheduler, the first value too")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{abc|}")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: false),
        "                   (a|)")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                   a--(c|)")
    }
  }

  @Test("a time of zero or less rests until the end of the moment", arguments: [Duration.zero, .seconds(-1)])
  func zero(rest: Duration) {
    marbles { m in
      let letters = m.hot("-a-(bcd)-(e|)")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: false),
        "                  -a-b-(e|)")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                  -a-(bd)-(e|)")
    }
  }

  @Test("each subscription measures for itself")
  func subscriptions() {
    marbles { m in
      let letters = m.hot("-ab-----|")
      let result = letters.signal.throttle(for: rest, on: m.scheduler, latest: false)
      m.expect(result, "   -a------|")
      m.expect(result, "   --b-----|", subscription: "--^")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, nor does what waits; the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -ab-----|")
      m.expect(
        letters.signal.throttle(for: rest, on: m.scheduler, latest: true),
        "                                 -a-------", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the source is left at that moment")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -ax-----|")
      let result = letters.signal.throttle(for: rest, on: m.scheduler, latest: true).map { letter in
        if letter == "x" { throw Failure() }
        return letter
      }
      m.expect(result, "                  -a--#", error: Failure())
      m.expectSubscriptions(of: letters, "^---!")
    }
  }

  @Test("the value that waits is dropped with a failure, before the failure is delivered")
  func dropping() {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let subscription = emitter.signal.throttle(for: rest, on: scheduler, latest: true).dropFirst(10)
      .subscribe(onFailure: { _ in })
    for _ in 0..<5 { emitter.send(life.token()) }
    // The first is on its way, the newest waits.
    #expect(life.alive == 2)
    emitter.fail(Failure())
    #expect(life.alive == 1)
    #expect(scheduler.pendingCount == 1)
    subscription.dispose()
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
  }
}
