import Probes
import SignalTesting
import Signals
import Testing

/// Fails, or continues with another signal, when no value comes for a while.
@Suite("timeout")
struct TimeoutTests {
  private let time = Duration.milliseconds(3)
  private var error: TimeoutError { TimeoutError(interval: time) }

  @Test("Law 9: it fails when no value comes for so long after the one before, and the source is left at that moment")
  func values() {
    marbles { m in
      let letters = m.hot("               -ab--c----d|")
      m.expect(
        letters.signal.timeout(after: time, on: m.scheduler),
        "                                 -ab--c--#", error: error)
      m.expectSubscriptions(of: letters, "^-------!")
    }
  }

  @Test("the time begins with the subscription")
  func first() {
    marbles { m in
      let never = m.hot("---------")
      m.expect(
        never.signal.timeout(after: time, on: m.scheduler),
        "                ---#", error: error)
      m.expect(
        never.signal.timeout(after: time, on: m.scheduler),
        "                -----#", error: error, subscription: "--^")
      m.expectSubscriptions(
        of: never,
        "                ^--!",
        "                --^--!")
    }
  }

  @Test("a source that ends in time, and values that come in time, pass unchanged")
  func inTime() {
    marbles { m in
      let letters = m.hot("-a--b-|")
      m.expect(
        letters.signal.timeout(after: time, on: m.scheduler),
        "                  -a--b-|")

      let empty = m.hot("--|")
      m.expect(
        empty.signal.timeout(after: time, on: m.scheduler),
        "                --|")

      let failing = m.hot("-a-#", error: Failure(number: 1))
      m.expect(
        failing.signal.timeout(after: time, on: m.scheduler),
        "                  -a-#", error: Failure(number: 1))
    }
  }

  @Test("what comes exactly when the time is up is in time, a value or the end, from whatever source")
  func boundary() {
    marbles { m in
      let hot = m.hot("---a--|")
      m.expect(
        hot.signal.timeout(after: time, on: m.scheduler),
        "              ---a--|")

      let cold = m.cold("---a--|")
      m.expect(
        cold.signal.timeout(after: time, on: m.scheduler),
        "                ---a--|")

      let timer = Signal.timer(after: time, on: m.scheduler).map { "a" }
      m.expect(
        timer.timeout(after: time, on: m.scheduler),
        "---(a|)")
      // Begun by the value before, so each is scheduled after the time that it has to keep.
      let timers = timer.concat(timer, timer)
      m.expect(
        timers.timeout(after: time, on: m.scheduler),
        "---a--a--(a|)")

      let late = m.hot("----a--|")
      m.expect(
        late.signal.timeout(after: time, on: m.scheduler),
        "               ---#", error: error)
    }
  }

  @Test("with a fallback: it begins when the time is up, and nothing limits its time; the source is left")
  func fallback() {
    marbles { m in
      let letters = m.hot("               -a----b|")
      let digits = m.cold("                   -1----2|")
      m.expect(
        letters.signal.timeout(after: time, on: m.scheduler, fallback: digits.signal),
        "                                 -a---1----2|")
      m.expectSubscriptions(of: letters, "^---!")
      m.expectSubscriptions(of: digits, " ----^------!")
    }
  }

  @Test("a fallback that delivers at once, and one that fails")
  func fallbackAtOnce() {
    marbles { m in
      let never = m.hot("----")
      m.expect(
        never.signal.timeout(after: time, on: m.scheduler, fallback: .just("9")),
        "                ---(9|)")
      let failing = never.signal.timeout(after: time, on: m.scheduler, fallback: .fail(Failure(number: 2)))
      m.expect(failing, "---#", error: Failure(number: 2))
    }
  }

  @Test("in time: nobody subscribes to the fallback")
  func noFallback() {
    marbles { m in
      let letters = m.hot("-a|")
      let digits = m.cold("-1|")
      m.expect(
        letters.signal.timeout(after: time, on: m.scheduler, fallback: digits.signal),
        "                  -a|")
      m.expectNoSubscriptions(of: digits)
    }
  }

  @Test("values inside subscribe pass there; the time begins anew with them")
  func atOnce() {
    marbles { m in
      let letters = m.cold("{ab}-c|")
      m.expect(
        letters.signal.timeout(after: time, on: m.scheduler),
        "                   {ab}-c|")

      let silent = m.cold("{ab}------")
      m.expect(
        silent.signal.timeout(after: time, on: m.scheduler),
        "                  {ab}---#", error: error)
    }
  }

  @Test(
    "a time of zero or less: what comes at the moment of the subscription is in time, nothing after that",
    arguments: [Duration.zero, .seconds(-1)])
  func zero(time: Duration) {
    marbles { m in
      let letters = m.hot("(ab)-c|")
      let error = TimeoutError(interval: time)
      m.expect(
        letters.signal.timeout(after: time, on: m.scheduler),
        "                  (ab#)", error: error)

      let finishing = m.cold("{a|}")
      m.expect(
        finishing.signal.timeout(after: time, on: m.scheduler),
        "                     {a|}")
    }
  }

  @Test("Law 7: after an early disposal nothing comes, and the source, or the fallback, is left at that moment")
  func disposal() {
    marbles { m in
      let letters = m.hot("              -a-----|")
      let digits = m.cold("                  -1-2|")
      let result = letters.signal.timeout(after: time, on: m.scheduler, fallback: digits.signal)
      m.expect(result, "                 -a---------", subscription: "^--!")
      m.expect(result, "                 -a---1-----", subscription: "^-----!")
      m.expectSubscriptions(
        of: letters,
        "                                ^--!",
        "                                ^---!")
      m.expectSubscriptions(of: digits, "----^-!")
    }
  }

  @Test("Laws 9 and 11: what a closure below throws is the failure, and the source is left at that moment")
  func throwingBelow() {
    marbles { m in
      let letters = m.hot("               -a-|")
      let result = letters.signal.timeout(after: time, on: m.scheduler).map { _ -> String in throw Failure() }
      m.expect(result, "                  -#", error: Failure())
      m.expectSubscriptions(of: letters, "^!")
    }
  }

  @Test("an endless source is read as far as somebody takes values")
  func endless() {
    marbles { m in
      m.expect(
        Signal.sequence(1...).timeout(after: time, on: m.scheduler).prefix(3),
        "{123|}")
    }
  }

  @Test("the error says how long nothing came")
  func description() {
    #expect("\(TimeoutError(interval: .seconds(2)))" == "no value came for 2.0 seconds")
  }
}

/// What happens while the time is up, on another thread or in the midst of the subscription.
@Suite("timeout: a source that is busy when the time is up")
struct BusyTimeoutTests {
  private let scheduler = VirtualTimeScheduler()
  private let interval = Duration.milliseconds(10)

  @Test("a value that is on its way when the time is over comes too late, and the fallback starts once")
  func onItsWay() throws {
    let emitter = Emitter<Int>()
    let isOnItsWay = Box(false)
    let isSwitched = Box(false)
    let starts = Box(0)
    let fallback = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.map { value in
      isOnItsWay.value = true
      spin { !isSwitched.value }
      return value
    }.timeout(
      after: interval, on: scheduler, fallback: fallback.signal.handle(onSubscribe: { starts.value += 1 })
    ).log(to: log)
    onThreads {
      emitter.send(1)
    } _: {
      spin { !isOnItsWay.value }
      #expect(throws: Never.self) { try self.scheduler.advance(by: self.interval) }
      isSwitched.value = true
    }
    fallback.send(2)
    try scheduler.advance(by: .seconds(1))
    fallback.send(3)
    #expect(log.events == [.value(2), .value(3)])
    #expect(starts.value == 1)
    #expect(scheduler.pendingCount == 0)
    subscription.dispose()
  }

  @Test("a source that is silent for too long while it is being subscribed to", arguments: [false, true])
  func silentSubscription(hasFallback: Bool) throws {
    let scheduler = scheduler
    let isActive = Box(true)
    // Waits for an answer in the midst of the subscription.
    let slow = Signal<Int> { producer in
      #expect(throws: Never.self) { try scheduler.advance(by: .seconds(1)) }
      isActive.value = producer.isActive
      producer.send(1)
      producer.finish()
    }
    let log = EventLog<Int>()
    let fallback: Signal<Int>? = hasFallback ? .just(9) : nil
    let subscription = slow.timeout(after: interval, on: scheduler, fallback: fallback).log(to: log)
    #expect(log.events == (hasFallback ? [.value(9), .finished] : [.failed(TimeoutError(interval: interval))]))
    #expect(!isActive.value && subscription.isDisposed)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("an end that is on its way when the time is over comes too late, and does not end the fallback")
  func endsTooLate() {
    let emitter = Emitter<Int>()
    let fallback = Emitter<Int>()
    let log = EventLog<Int>()
    let scheduler = scheduler
    let interval = interval
    let slow = emitter.signal.handle(onFinish: {
      #expect(throws: Never.self) { try scheduler.advance(by: interval) }
    })
    let subscription = slow.timeout(after: interval, on: scheduler, fallback: fallback.signal).log(to: log)
    emitter.finish()
    fallback.send(1)
    #expect(log.events == [.value(1)])
    subscription.dispose()
  }

  @Test("a source whose time is over before it is reached is not kept beside the fallback")
  func overBeforeTheSource() {
    let emitter = Emitter<Int>()
    let fallback = Emitter<Int>()
    let log = EventLog<Int>()
    let scheduler = scheduler
    let interval = interval
    let source = emitter.signal.handle(onSubscribe: {
      #expect(throws: Never.self) { try scheduler.advance(by: interval) }
    })
    let subscription = source.timeout(after: interval, on: scheduler, fallback: fallback.signal).log(to: log)
    #expect(emitter.subscriberCount == 0 && fallback.subscriberCount == 1)
    emitter.send(1)
    fallback.send(2)
    emitter.finish()
    fallback.send(3)
    #expect(log.events == [.value(2), .value(3)])
    subscription.dispose()
  }

  @Test("where no time passes, what comes during the subscription is in time")
  func immediate() {
    let log = EventLog<Int>()
    Signal.sequence([1, 2]).timeout(after: interval, on: .immediate).log(to: log).dispose()
    #expect(log.events == [.value(1), .value(2), .finished])
  }
}
