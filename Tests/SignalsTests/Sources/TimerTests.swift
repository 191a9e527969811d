import Probes
import SignalTesting
import Signals
import Testing

/// Delivers one value after a delay, and finishes.
@Suite("timer")
struct TimerTests {
  @Test("one value and the end, so long after each subscription")
  func values() {
    marbles { m in
      let timer = Signal.timer(after: .milliseconds(3), on: m.scheduler).map { "t" }
      m.expect(timer, "---(t|)")
      m.expect(timer, "-----(t|)", subscription: "--^")
    }
  }

  @Test(
    "Law 14: zero or less is at the moment of the subscription, but not inside subscribe",
    arguments: [Duration.zero, .seconds(-1)])
  func zero(delay: Duration) {
    marbles { m in
      let timer = Signal.timer(after: delay, on: m.scheduler).map { "t" }
      m.expect(timer, "(t|)")
      m.expect(timer, "--(t|)", subscription: "--^")
    }
  }

  @Test("on the immediate scheduler it comes inside subscribe")
  func immediate() {
    marbles { m in
      m.expect(
        Signal.timer(after: .seconds(1), on: .immediate).map { "t" },
        "{t|}")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, also when it is disposed at the moment at which it is due")
  func disposal() {
    marbles { m in
      let timer = Signal.timer(after: .milliseconds(3), on: m.scheduler).map { "t" }
      m.expect(timer, "------", subscription: "^-!")
      m.expect(timer, "------", subscription: "^--!")
    }
  }

  @Test("Law 7: disposal leaves nothing, of a timer and of an interval")
  func sources() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    func subscribe() -> [Subscription] {
      let token = life.token()
      return [
        Signal.timer(after: .seconds(1), on: scheduler).subscribe { token.touch() },
        Signal.interval(every: .seconds(1), on: scheduler).subscribe { _ in token.touch() },
      ]
    }
    let subscriptions = subscribe()
    #expect(scheduler.pendingCount == 2)
    for subscription in subscriptions { subscription.dispose() }
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("Law 11: what a closure below throws is the failure")
  func throwingBelow() {
    marbles { m in
      let timer = Signal.timer(after: .milliseconds(3), on: m.scheduler)
      m.expect(
        timer.map { _ -> String in throw Failure() },
        "---#", error: Failure())
    }
  }
}

/// Delivers 0, 1, 2 ... at regular times, for ever.
@Suite("interval")
struct IntervalTests {
  @Test("0, 1, 2 ..., the first after one period, counted from each subscription")
  func values() {
    marbles { m in
      let ticks = Signal.interval(every: .milliseconds(3), on: m.scheduler)
      m.expect(ticks, "---0--1--2--", subscription: "^----------!")
      m.expect(ticks, "-----0--1---", subscription: "--^--------!")
    }
  }

  @Test("with a delay, the first comes after that; zero or less is at once, but not inside subscribe")
  func after() {
    marbles { m in
      let later = Signal.interval(every: .milliseconds(3), on: m.scheduler, after: .milliseconds(1))
      m.expect(later, "-0--1--2----", subscription: "^---------!")

      let atOnce = Signal.interval(every: .milliseconds(3), on: m.scheduler, after: .zero)
      m.expect(atOnce, "0--1--2-----", subscription: "^--------!")

      let before = Signal.interval(every: .milliseconds(3), on: m.scheduler, after: .seconds(-1))
      m.expect(before, "0--1--2-----", subscription: "^--------!")
    }
  }

  @Test("Law 9: one who has enough leaves no work behind")
  func enough() throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let subscription = Signal.interval(every: .milliseconds(10), on: scheduler, after: .milliseconds(3)).prefix(3)
      .log(to: log)
    try scheduler.advance(by: .milliseconds(23))
    #expect(log.events == [.value(0), .value(1), .value(2), .finished])
    #expect(scheduler.pendingCount == 0 && subscription.isDisposed)
  }

  @Test("a period of zero or less counts as a nanosecond", arguments: [Duration.zero, .seconds(-1)])
  func zero(period: Duration) {
    marbles(frame: .nanoseconds(1)) { m in
      m.expect(
        Signal.interval(every: period, on: m.scheduler).prefix(3),
        "-01(2|)")
    }
  }

  @Test("on the immediate scheduler the values come inside subscribe, as far as somebody takes them")
  func immediate() {
    marbles { m in
      m.expect(
        Signal.interval(every: .zero, on: .immediate).prefix(2),
        "{01|}")
    }
  }

  /// Virtual time that runs everything so much later than it is asked for.
  private struct LateScheduler: Scheduler {
    let base: VirtualTimeScheduler
    let lateness: Duration

    var now: SchedulerInstant { base.now }

    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

    func schedule(
      after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
    ) -> any Disposable {
      base.schedule(after: max(.zero, delay) + lateness, tolerance: tolerance, work)
    }
  }

  @Test("a scheduler that is always late: the lateness does not add up")
  func lateness() {
    marbles { m in
      let late = LateScheduler(base: m.scheduler, lateness: .milliseconds(1))
      m.expect(
        Signal.interval(every: .milliseconds(3), on: late),
        "----0--1--2--", subscription: "^-----------!")
    }
  }

  @Test("a value whose time was missed is delivered late, not left out")
  func missed() {
    marbles { m in
      let late = LateScheduler(base: m.scheduler, lateness: .milliseconds(4))
      let ticks = Signal.interval(every: .milliseconds(2), on: late)
      m.expect(ticks, "------0---1---2--", subscription: "^---------------!")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, also when it is disposed at the moment at which a value is due")
  func disposal() {
    marbles { m in
      let ticks = Signal.interval(every: .milliseconds(3), on: m.scheduler)
      m.expect(ticks, "---0----", subscription: "^----!")
      m.expect(ticks, "---0----", subscription: "^-----!")
    }
  }

  @Test("Law 11: what a closure below throws is the failure, and no other value comes")
  func throwingBelow() {
    marbles { m in
      let ticks = Signal.interval(every: .milliseconds(3), on: m.scheduler).map { tick in
        if tick == 1 { throw Failure() }
        return tick
      }
      m.expect(ticks, "---0--#", error: Failure())
    }
  }

  @Test("a handler that disposes gets nothing more")
  func disposing() throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let kept = Box<Subscription?>(nil)
    kept.value = Signal.interval(every: .milliseconds(3), on: scheduler).subscribeToEvents { event in
      log.append(event)
      if event == .value(1) { kept.value?.dispose() }
    }
    try scheduler.run()
    #expect(log.events == [.value(0), .value(1)])
    #expect(scheduler.pendingCount == 0)
  }
}
