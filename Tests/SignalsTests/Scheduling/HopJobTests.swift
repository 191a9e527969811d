import Dispatch
import Probes
import Signals
import Testing

/// Virtual time that counts what it is asked for, behind a type that operators do not know.
private struct CountingScheduler: Scheduler {
  let base = VirtualTimeScheduler()
  let jobs = Box(0)

  var now: SchedulerInstant { base.now }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    jobs.withLock { $0 += 1 }
    base.schedule(work)
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    base.schedule(after: delay, tolerance: tolerance, work)
  }
}

/// A queue that counts the jobs it is asked for.
private struct CountingQueue: Scheduler {
  let base: DispatchQueueScheduler
  let jobs = Box(0)

  var now: SchedulerInstant { base.now }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    jobs.withLock { $0 += 1 }
    base.schedule(work)
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    base.schedule(after: delay, tolerance: tolerance, work)
  }
}

/// Runs a job as soon as it has it, and twice.
private struct EagerScheduler: Scheduler {
  var now: SchedulerInstant { SchedulerInstant(sinceOrigin: .zero) }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    work()
    work()
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    work()
    return Cancellation()
  }
}

@Suite("Law 14: hops and their jobs")
struct HopJobTests {
  private let emitter = Emitter<Int>()
  private let log = EventLog<Int>()

  private enum Happening: Equatable { case value(Int), otherWork }

  @Test("one job for all that waits, and one for what comes meanwhile")
  func batches() throws {
    let scheduler = CountingScheduler()
    let subscription = emitter.signal.receive(on: scheduler).handle { [emitter] value in
      if value < 3 { for copy in 1...10 { emitter.send(value + copy * 10) } }
    }.log(to: log)
    for value in 0..<1_000 { emitter.send(value) }
    #expect(scheduler.jobs.value == 1)
    try scheduler.base.run()
    #expect(scheduler.jobs.value == 2)
    #expect(log.values.count == 1_030)
    emitter.finish()
    try scheduler.base.run()
    #expect(scheduler.jobs.value == 3)
    #expect(subscription.isDisposed)
  }

  @Test("a handler that sends on for ever does not keep other work from running", arguments: [true, false])
  func otherWork(isPlain: Bool) throws {
    let counting = CountingScheduler()
    let scheduler: any Scheduler = isPlain ? counting : counting.base
    let order = Journal<Happening>()
    let subscription = emitter.signal.receive(on: scheduler).subscribe { [emitter] value in
      order.append(.value(value))
      if value < 3 { emitter.send(value + 1) }
    }
    emitter.send(1)
    for _ in 1...2 { counting.base.schedule { order.append(.otherWork) } }
    try counting.base.run()
    #expect(order.entries == [.value(1), .otherWork, .otherWork, .value(2), .value(3)])
    withExtendedLifetime(subscription) {}
  }

  @Test("a burst takes one job of a queue")
  func burstOnQueue() {
    let known = KnownQueue()
    let scheduler = CountingQueue(base: .queue(known.queue))
    let subscription = emitter.signal.receive(on: scheduler).log(to: log)
    for burst in 0..<10 {
      // The queue is busy with this while the burst comes.
      known.queue.sync { for value in 0..<100 { emitter.send(burst * 100 + value) } }
      known.settle()
    }
    #expect(scheduler.jobs.value == 10)
    #expect(log.values == Array(0..<1_000))
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "a long burst takes a job for each 1,024 values, and other work has its turn between them",
    arguments: [true, false])
  func longBurst(isPlain: Bool) throws {
    let counting = CountingScheduler()
    let scheduler: any Scheduler = isPlain ? counting : counting.base
    let order = Journal<Happening>()
    let subscription = emitter.signal.receive(on: scheduler).subscribe { value in order.append(.value(value)) }
    for value in 0..<2_500 { emitter.send(value) }
    // Each lets the next one into the queue only when it runs.
    counting.base.schedule {
      order.append(.otherWork)
      counting.base.schedule { order.append(.otherWork) }
    }
    try counting.base.run()
    var expected = (0..<2_500).map(Happening.value)
    expected.insert(.otherWork, at: 2_048)
    expected.insert(.otherWork, at: 1_024)
    #expect(order.entries == expected)
    if isPlain { #expect(counting.jobs.value == 3) }
    withExtendedLifetime(subscription) {}
  }

  @Test("what comes while a long burst is being delivered comes behind it, and nothing is forgotten")
  func behindLongBurst() throws {
    let scheduler = CountingScheduler()
    let subscription = emitter.signal.receive(on: scheduler).handle { [emitter] value in
      if [0, 1_500, 2_499].contains(value) { emitter.send(10_000 + value) }
    }.log(to: log)
    for value in 0..<2_500 { emitter.send(value) }
    try scheduler.base.run()
    emitter.send(20_000)
    emitter.finish()
    try scheduler.base.run()
    #expect(log.values == Array(0..<2_500) + [10_000, 11_500, 12_499, 20_000])
    #expect(log.ends == [.finished])
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 7: disposed between two jobs of a long burst, the rest is released at once")
  func disposedBetweenJobs() throws {
    let scheduler = CountingScheduler()
    let life = LifeCount()
    let tokens = Emitter<LifeCount.Token>()
    let count = Box(0)
    let subscription = tokens.signal.receive(on: scheduler).subscribe { _ in count.withLock { $0 += 1 } }
    for _ in 0..<3_000 { tokens.send(life.token()) }
    scheduler.base.schedule {
      #expect(count.value == 1_024)
      #expect(life.alive == 3_000 - 1_024)
      subscription.dispose()
      #expect(life.alive == 0)
    }
    try scheduler.base.run()
    #expect(count.value == 1_024)
  }

  @Test("in virtual time, what is on its way is one work item")
  func virtual() throws {
    let scheduler = VirtualTimeScheduler()
    let subscription = emitter.signal.receive(on: scheduler).log(to: log)
    for value in 0..<1_000 { emitter.send(value) }
    #expect(scheduler.pendingCount == 1)
    try scheduler.advance()
    #expect(scheduler.ranCount == 1)
    #expect(log.values == Array(0..<1_000))
    emitter.send(1)
    #expect(scheduler.pendingCount == 1)
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
    try scheduler.advance()
    #expect(scheduler.ranCount == 1)
  }

  @Test("immediate: what handlers send on nests no calls", arguments: HopCase.all.filter(\.isLossless), [true, false])
  func nesting(hop: HopCase, isEager: Bool) {
    let count = 100_000
    let check = GrammarCheck<Int>()
    let scheduler: any Scheduler = isEager ? EagerScheduler() : .immediate
    let subscription = hop.apply(emitter.signal, scheduler).subscribeToEvents { [emitter, log] event in
      check.take(event) {
        if case .value(let value) = event, value < count {
          emitter.send(value + 1)
        } else if event == .value(count) {
          emitter.finish()
        }
      }
      if log.events.count < 3 { log.append(event) }
    }
    emitter.send(1)
    #expect(check.values == count)
    #expect(check.overlaps == 0)
    #expect(check.ends == 1)
    #expect(log.values == [1, 2, 3])
    #expect(subscription.isDisposed)
  }
}
