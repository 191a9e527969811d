import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the newest value whenever another signal does.
@Suite("sample(by:)")
struct SampleTests {
  @Test("the newest value comes with each value of the trigger, and only once")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-----c-|")
      let trigger = m.hot("               ----x-x---x-")
      m.expect(
        letters.signal.sample(by: trigger.signal),
        "                                 ----b-----c|")
      m.expectSubscriptions(of: letters, "^----------!")
      m.expectSubscriptions(of: trigger, "^----------!")
    }
  }

  @Test("a trigger that finishes: no value comes any more, only the end; it ends nothing itself")
  func triggerFinishes() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               --x-|")
      m.expect(
        letters.signal.sample(by: trigger.signal),
        "                                 --a----|")
      m.expectSubscriptions(of: letters, "^------!")
      m.expectSubscriptions(of: trigger, "^---!")
    }
  }

  @Test("a failure of either fails the result, and the other is left; the value that waits is dropped")
  func failures() {
    marbles { m in
      let letters = m.hot("               -a-#", error: Failure(number: 1))
      let trigger = m.hot("               ------x")
      m.expect(
        letters.signal.sample(by: trigger.signal),
        "                                 ---#", error: Failure(number: 1))
      m.expectSubscriptions(of: trigger, "^--!")

      let others = m.hot("               -a-b-c|")
      let failing = m.hot("              ---#", error: Failure(number: 2))
      m.expect(
        others.signal.sample(by: failing.signal),
        "                                ---#", error: Failure(number: 2))
      m.expectSubscriptions(of: others, "^--!")
    }
  }

  @Test("the value that waits at the end is dropped; without values there is only the end")
  func ends() {
    marbles { m in
      let letters = m.hot("-a-|")
      let trigger = m.hot("-----x")
      m.expect(letters.signal.sample(by: trigger.signal), "---|")
      let empty = m.hot("--|")
      m.expect(empty.signal.sample(by: trigger.signal), "  --|")
      let never = m.hot("----")
      m.expect(never.signal.sample(by: trigger.signal), "  ----")
    }
  }

  @Test("this signal is subscribed to first: sampled by itself, each of its values comes")
  func itself() {
    marbles { m in
      let letters = m.hot("-a-(bc)-|")
      m.expect(
        letters.signal.sample(by: letters.signal),
        "                  -a-(bc)-|")
      let atOnce = m.cold("{ab}-c|")
      m.expect(
        atOnce.signal.sample(by: .just(1)),
        "                  {b}--|")
    }
  }

  @Test("a source that finishes inside subscribe leaves the trigger alone")
  func finishedAtOnce() {
    marbles { m in
      let trigger = m.hot("---x")
      m.expect(Signal.just("a").sample(by: trigger.signal), "{|}")
      m.expectNoSubscriptions(of: trigger)
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and both are left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("               -a-b-c-|")
      let trigger = m.hot("               --x-x-x-")
      m.expect(
        letters.signal.sample(by: trigger.signal),
        "                                 --a-----", subscription: "^--!")
      m.expectSubscriptions(of: letters, "^--!")
      m.expectSubscriptions(of: trigger, "^--!")
    }
  }

  @Test("Law 2: a handler that has the next value sampled gets it afterwards")
  func sending() {
    let numbers = Emitter<Int>()
    let ticks = Emitter<Void>()
    let log = EventLog<Int>()
    let subscription = numbers.signal.sample(by: ticks.signal).handle { value in
      guard value < 3 else { return }
      numbers.send(value + 1)
      ticks.send()
    }.log(to: log)
    numbers.send(1)
    ticks.send()
    #expect(log.events == [.value(1), .value(2), .value(3)])
    subscription.dispose()
    #expect(numbers.subscriberCount == 0 && ticks.subscriberCount == 0)
  }
}

/// Delivers the newest value at regular times.
@Suite("sample(every:on:)")
struct SampleEveryTests {
  private let period = Duration.milliseconds(4)

  @Test("the newest value comes at the next multiple of the period, and only once")
  func values() {
    marbles { m in
      let letters = m.hot("               -a-b-----c-d-|")
      m.expect(
        letters.signal.sample(every: period, on: m.scheduler),
        "                                 ----b-------d|")
      m.expectSubscriptions(of: letters, "^------------!")
    }
  }

  @Test("the times are counted from the subscription")
  func start() {
    marbles { m in
      let letters = m.hot("--a---b----|")
      let result = letters.signal.sample(every: period, on: m.scheduler)
      m.expect(result, "   ----a---b--|")
      m.expect(result, "   ---------b-|", subscription: "-----^")
    }
  }

  @Test("a value at the very moment: delivered there, unless that moment has had its value")
  func boundary() {
    marbles { m in
      let alone = m.hot("                                     ----a-----|")
      m.expect(alone.signal.sample(every: period, on: m.scheduler), "----a-----|")
      // Not at the subscription itself.
      let first = m.cold("                                    {a}---------|")
      m.expect(first.signal.sample(every: period, on: m.scheduler), "----a----|")
    }
    let time = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.sample(every: period, on: time).log(to: log)
    emitter.send(1)
    #expect(throws: Never.self) { try time.advance(by: .milliseconds(4)) }
    emitter.send(2)
    #expect(throws: Never.self) { try time.advance(by: .milliseconds(3)) }
    #expect(log.events == [.value(1)])
    #expect(throws: Never.self) { try time.advance(by: .milliseconds(1)) }
    #expect(log.events == [.value(1), .value(2)])
    subscription.dispose()
  }

  @Test("the end and a failure are not delayed; the value that waits is dropped")
  func ends() {
    marbles { m in
      let letters = m.hot("                                     -a|")
      m.expect(letters.signal.sample(every: period, on: m.scheduler), "--|")
      let failing = m.hot("-a#", error: Failure(number: 1))
      m.expect(
        failing.signal.sample(every: period, on: m.scheduler),
        "                  --#", error: Failure(number: 1))
      let never = m.hot("---")
      m.expect(never.signal.sample(every: period, on: m.scheduler), "  ---")
    }
  }

  @Test("nothing is scheduled while no value waits, nor after an early disposal")
  func idle() throws {
    let time = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let subscription = emitter.signal.sample(every: period, on: time).subscribe { _ in }
    #expect(time.pendingCount == 0)
    emitter.send(1)
    emitter.send(2)
    #expect(time.pendingCount == 1)
    try time.advance(by: .milliseconds(4))
    #expect(time.pendingCount == 0)
    emitter.send(3)
    subscription.dispose()
    #expect(time.pendingCount == 0 && emitter.subscriberCount == 0)
  }

  @Test("after a long rest the times are multiples still; a period of nothing or less is a nanosecond")
  func periods() {
    marbles { m in
      let letters = m.hot("                                      -a-------------------b----|")
      m.expect(letters.signal.sample(every: period, on: m.scheduler), "----a-------------------b-|")
    }
    for period in [Duration.zero, .seconds(-1), .nanoseconds(1)] {
      let time = VirtualTimeScheduler()
      let emitter = Emitter<Int>()
      let log = EventLog<Int>()
      let subscription = emitter.signal.sample(every: period, on: time).log(to: log)
      emitter.send(1)
      #expect(throws: Never.self) { try time.advance(by: .nanoseconds(1)) }
      #expect(log.events == [.value(1)])
      subscription.dispose()
    }
  }

  @Test("a period that no clock reaches: values never come, and nothing traps")
  func longPeriod() {
    let time = VirtualTimeScheduler()
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.sample(every: Duration(attoseconds: .max), on: time).log(to: log)
    emitter.send(1)
    #expect(throws: Never.self) { try time.advance(by: .seconds(1_000_000)) }
    emitter.send(2)
    #expect(log.events == [])
    subscription.dispose()
  }
}
