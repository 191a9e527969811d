import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value, and the regular end, after a delay.
@Suite("delay")
struct DelayTests {
  private let time = Duration.milliseconds(3)

  @Test("values and the end come later, with the same time between them")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-bc----d-|")
      m.expect(
        letters.signal.delay(for: time, on: m.scheduler),
        "                                 ----a-bc----d-|")
      m.expectSubscriptions(of: letters, "^----------!")
    }
  }

  @Test("several values of one moment keep their order, the end behind them")
  func sameMoment() {
    marbles { m in
      let together = m.hot("-(abc|)")
      m.expect(
        together.signal.delay(for: time, on: m.scheduler),
        "                   ----(abc|)")
    }
  }

  @Test("a failure comes at once, and values that wait do not, not even those that are due at that moment")
  func failure() {
    marbles { m in
      let letters = m.hot("               -ab--#", error: Failure(number: 1))
      m.expect(
        letters.signal.delay(for: time, on: m.scheduler),
        "                                 ----a#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^----!")
    }
  }

  @Test("nothing, only the end, and one value")
  func few() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.delay(for: time, on: m.scheduler),
        "                ----")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.delay(for: time, on: m.scheduler),
        "                -----|")

      let one = m.hot("               -a------")
      m.expect(
        one.signal.delay(for: time, on: m.scheduler),
        "                             ----a---")
      m.expectSubscriptions(of: one, "^")
    }
  }

  @Test("Law 14: what comes inside subscribe is delivered on the scheduler, a failure too")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab|}")
      m.expect(
        letters.signal.delay(for: time, on: m.scheduler),
        "                   ---(ab|)")

      let failing = m.cold("{a#}", error: Failure(number: 1))
      m.expect(
        failing.signal.delay(for: time, on: m.scheduler),
        "                   #", error: Failure(number: 1))
    }
  }

  @Test(
    "a time of zero or less delivers at the same moment, but not inside subscribe",
    arguments: [Duration.zero, .seconds(-1)])
  func zero(time: Duration) {
    marbles { m in
      let letters = m.hot("-a-(bc)-|")
      m.expect(
        letters.signal.delay(for: time, on: m.scheduler),
        "                  -a-(bc)-|")

      let atOnce = m.cold("{ab|}")
      m.expect(
        atOnce.signal.delay(for: time, on: m.scheduler),
        "                  (ab|)")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, nor does what waits; the source is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -ab-c-|")
      m.expect(
        letters.signal.delay(for: time, on: m.scheduler),
        "                                 ----a-----", subscription: "^----!")
      m.expectSubscriptions(of: letters, "^----!")

      let ended = m.hot("               -ab|")
      m.expect(
        ended.signal.delay(for: time, on: m.scheduler),
        "                               ----a-----", subscription: "^----!")
      m.expectSubscriptions(of: ended, "^--!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the source is left at that moment")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -ax--b-|")
      let result = letters.signal.delay(for: time, on: m.scheduler).map { letter in
        if letter == "x" { throw Failure() }
        return letter
      }
      m.expect(result, "                  ----a#", error: Failure())
      m.expectSubscriptions(of: letters, "^----!")
    }
  }

  @Test("a failure releases what waits, and leaves no other work behind")
  func dropping() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    let emitter = Emitter<LifeCount.Token>()
    let (values, failures) = (Box(0), Journal<Duration>())
    let subscription = emitter.signal.delay(for: .milliseconds(10), on: scheduler).subscribe(
      onValue: { _ in values.value += 1 }, onFailure: { _ in failures.append(scheduler.now.sinceOrigin) })
    for _ in 0..<5 { emitter.send(life.token()) }
    try scheduler.advance(by: .milliseconds(5))
    emitter.send(life.token())
    // Runs before the values that are due at the same moment.
    scheduler.schedule(at: SchedulerInstant(sinceOrigin: .milliseconds(10)), phase: .hotSource) {
      emitter.fail(Failure())
    }
    try scheduler.advance(by: .milliseconds(4))
    #expect(life.alive == 6)
    try scheduler.advance(by: .milliseconds(1))
    #expect(life.alive == 0)
    #expect(values.value == 0 && failures.entries == [.milliseconds(10)])
    #expect(scheduler.pendingCount == 0)
    #expect(subscription.isDisposed)
  }
}
