import Probes
import SignalTesting
import Signals
import Testing

/// Subscribes again when the signal finishes.
@Suite("repeat")
struct RepeatTests {
  @Test("so many times in all, each beginning where the one before ends")
  func values() {
    marbles { m in
      let letters = m.cold("              -a-|")
      m.expect(letters.signal.repeat(3), "-a--a--a-|")
      m.expectSubscriptions(
        of: letters,
        "                                 ^--!",
        "                                 ---^--!",
        "                                 ------^--!")
    }
  }

  @Test("0 or less finishes at once, and subscribes to nothing", arguments: [0, -1, Int.min])
  func none(count: Int) {
    marbles { m in
      let letters = m.cold("-a-|")
      m.expect(letters.signal.repeat(count), "{|}")
      m.expect(letters.signal.repeat(count, after: .milliseconds(2), on: m.scheduler), "{|}")
      m.expectNoSubscriptions(of: letters)
    }
  }

  @Test("a failure passes, and nothing is begun anew")
  func failure() {
    marbles { m in
      let letters = m.cold("             -a#", error: Failure(number: 1))
      m.expect(letters.signal.repeat(), "-a#", error: Failure(number: 1))
      m.expectSubscriptions(of: letters, "^-!")
    }
  }

  @Test("Law 7: without a limit it goes on until an early disposal")
  func endless() {
    marbles { m in
      let letters = m.cold("             -a-|")
      m.expect(letters.signal.repeat(), "-a--a--a----", subscription: "^-------!")
      m.expectSubscriptions(of: letters, "^--!", "---^--!", "------^-!")
    }
  }

  @Test("Law 9: without a limit, a source that ends inside subscribe is repeated until nobody wants more")
  func enough() {
    marbles { m in
      m.expect(Signal.sequence(["a", "b"]).repeat().prefix(5), "{ababa|}")
    }
  }

  @Test("nothing, only the end, and a source that has ended for good")
  func few() {
    marbles { m in
      let (never, empty) = (m.cold("---"), m.cold("-|"))
      m.expect(never.signal.repeat(2), "---")
      m.expect(empty.signal.repeat(2), "--|")
      let hot = m.hot("-a-|")
      m.expect(hot.signal.repeat(3), "-a-|")
    }
  }

  @Test("with a pause between an end and the next beginning, and none after the last end")
  func pause() {
    marbles { m in
      let letters = m.cold("                                                     -a-|")
      m.expect(letters.signal.repeat(2, after: .milliseconds(3), on: m.scheduler), "-a-----a-|")
      m.expectSubscriptions(of: letters, "                                       ^--!", "------^--!")
    }
  }

  @Test("Law 7: disposed in a pause, it begins nothing any more, and nothing is left scheduled")
  func disposal() throws {
    let scheduler = VirtualTimeScheduler()
    let log = EventLog<Int>()
    let subscription = Signal.just(1).repeat(after: .milliseconds(2), on: scheduler).log(to: log)
    try scheduler.advance(by: .milliseconds(5))
    #expect(log.events == [.value(1), .value(1), .value(1)])
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
    try scheduler.run()
    #expect(log.events.count == 3)
  }

  @Test("100,000 times in a row inside subscribe need no stack", arguments: [false, true])
  func deep(isPausing: Bool) {
    let starts = Box(0)
    let log = EventLog<Int>()
    let source = Signal<Int>.deferred {
      starts.withLock { $0 += 1 }
      return .empty()
    }
    let result = isPausing ? source.repeat(100_000, after: .seconds(1), on: .immediate) : source.repeat(100_000)
    result.log(to: log).dispose()
    #expect(starts.value == 100_000)
    #expect(log.events == [.finished])
  }
}
