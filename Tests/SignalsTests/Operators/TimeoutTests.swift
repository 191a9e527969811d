import Signals
import Testing

@Suite("timeout")
struct TimeoutTests {
  private let scheduler = VirtualTimeScheduler()
  private let interval = Duration.milliseconds(10)

  @Test("fails when nothing comes, counted anew from each value")
  func fails() throws {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.timeout(after: interval, on: scheduler).log(to: log)
    try scheduler.advance(by: .milliseconds(9))
    emitter.send(1)
    try scheduler.advance(by: .milliseconds(9))
    #expect(log.events == [.value(1)])
    try scheduler.advance(by: .milliseconds(1))
    #expect(log.events == [.value(1), .failed(TimeoutError(interval: interval))])
    #expect(emitter.subscriberCount == 0)
    #expect(subscription.isDisposed)
  }

  @Test("continues with the fallback, and leaves the source")
  func fallback() throws {
    let emitter = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = emitter.signal.timeout(after: interval, on: scheduler, fallback: .just(9)).log(to: log)
    try scheduler.advance(by: interval)
    #expect(log.events == [.value(9), .finished])
    #expect(emitter.subscriberCount == 0)
    #expect(subscription.isDisposed)
  }

  @Test("a value that comes at the very moment is in time, however it was scheduled")
  func tie() throws {
    let log = EventLog<Int>()
    let subscription = Signal<Void>.timer(after: interval, on: scheduler).map { 1 }
      .timeout(after: interval, on: scheduler).log(to: log)
    try scheduler.run()
    #expect(log.events == [.value(1), .finished])
    let emitter = Emitter<Int>()
    let second = EventLog<Int>()
    let other = emitter.signal.timeout(after: interval, on: scheduler).log(to: second)
    _ = scheduler.schedule(after: interval) { emitter.send(2) }
    try scheduler.advance(by: interval)
    #expect(second.events == [.value(2)])
    other.dispose()
    #expect(scheduler.pendingCount == 0)
    #expect(subscription.isDisposed)
  }

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
      while !isSwitched.value {}
      return value
    }.timeout(
      after: interval, on: scheduler, fallback: fallback.signal.handle(onSubscribe: { starts.value += 1 })
    ).log(to: log)
    onThreads {
      emitter.send(1)
    } _: {
      while !isOnItsWay.value {}
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
