import Dispatch
import Probes
import Synchronization
import Testing

@testable import Signals

/// Takes its time from any Swift clock. The clock is virtual time, and so is the executor of the task that waits.
@Suite("ClockScheduler")
struct ClockSchedulerTests {
  private let time = VirtualTimeScheduler()
  private var scheduler: ClockScheduler { ClockScheduler(time, runningOn: .immediate, waitingOn: time) }

  private func at(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  @Test("work runs when the clock has come so far, not earlier")
  func delay() throws {
    let log = Journal<Duration>()
    let scheduler = scheduler
    let bag = DisposeBag()
    scheduler.schedule(after: at(5)) { log.append(scheduler.now.sinceOrigin) }.store(in: bag)
    scheduler.schedule(after: at(2)) { log.append(scheduler.now.sinceOrigin) }.store(in: bag)
    try time.advance(by: at(1))
    scheduler.schedule(after: at(8)) { log.append(scheduler.now.sinceOrigin) }.store(in: bag)
    #expect(log.entries == [])
    try time.advance(by: at(1))
    #expect(log.entries == [at(2)])
    try time.advance(by: at(2))
    #expect(log.entries == [at(2)])
    try time.run()
    #expect(log.entries == [at(2), at(5), at(9)])
  }

  @Test("what is more than a century away runs when the clock has come so far")
  func centuries() throws {
    let log = Journal<Duration>()
    let scheduler = scheduler
    let work = scheduler.schedule(after: .seconds(8_000_000_000)) { log.append(scheduler.now.sinceOrigin) }
    try time.advance(by: .seconds(7_999_999_999))
    #expect(log.entries == [])
    try time.run()
    #expect(log.entries == [.seconds(8_000_000_000)])
    #expect(work.isDisposed)
  }

  @Test("Law 14: work that is due at the same time runs in the order in which it was scheduled")
  func order() throws {
    let log = Journal<Int>()
    let scheduler = scheduler
    let bag = DisposeBag()
    for number in 0..<100 {
      scheduler.schedule(after: at(number.isMultiple(of: 2) ? 3 : 7)) { log.append(number) }.store(in: bag)
    }
    try time.run()
    #expect(log.entries == (0..<100).filter { $0.isMultiple(of: 2) } + (0..<100).filter { !$0.isMultiple(of: 2) })
  }

  @Test("the origin is the moment at which it was made; a negative delay counts as zero")
  func origin() throws {
    try time.advance(by: at(9))
    let scheduler = scheduler
    #expect(scheduler.now.sinceOrigin == .zero)
    let log = Journal<Duration>()
    let work = scheduler.schedule(after: at(-9)) { log.append(scheduler.now.sinceOrigin) }
    try time.advance(by: at(1))
    #expect(log.entries == [.zero])
    #expect(scheduler.now.sinceOrigin == at(1))
    #expect(work.isDisposed)
  }

  @Test("what is cancelled does not run; with the last of it, nobody waits for the clock any more")
  func cancelling() throws {
    let life = LifeCount()
    let ran = Box(0)
    let scheduler = scheduler
    let works = (1...200).map { number in
      let token = life.token()
      return scheduler.schedule(after: at(number)) {
        token.touch()
        ran.value += 1
      }
    }
    try time.advance(by: at(10))
    #expect(ran.value == 10)
    for work in works { work.dispose() }
    #expect(works.allSatisfy { $0.isDisposed })
    #expect(life.alive == 0)
    try time.advance()
    #expect(time.pendingCount == 0)
    let another = scheduler.schedule(after: at(1)) { ran.value += 1 }
    try time.run()
    #expect(ran.value == 11)
    another.dispose()
  }

  @Test("work may schedule and cancel")
  func nested() throws {
    let log = Journal<Duration>()
    let scheduler = scheduler
    let (bag, other) = (DisposeBag(), DisposeBag())
    scheduler.schedule(after: at(2)) {
      log.append(scheduler.now.sinceOrigin)
      other.dispose()
      scheduler.schedule(after: .zero) { log.append(scheduler.now.sinceOrigin) }.store(in: bag)
      scheduler.schedule(after: .milliseconds(3)) { log.append(scheduler.now.sinceOrigin) }.store(in: bag)
    }.store(in: bag)
    scheduler.schedule(after: at(2)) { log.append(.seconds(99)) }.store(in: other)
    try time.run()
    #expect(log.entries == [at(2), at(2), at(5)])
  }

  @Test("Law 13: operators do on it what they do in virtual time")
  func operators() throws {
    func run(on scheduler: any Scheduler) throws -> [Event<Int>] {
      let log = EventLog<Int>()
      let numbers = Emitter<Int>()
      let subscription = numbers.signal.debounce(for: at(3), on: scheduler).merge(
        with: numbers.signal.delay(for: at(4), on: scheduler).map { $0 * 10 },
        .interval(every: at(3), on: scheduler).map { $0 + 100 }.prefix(4)
      ).log(to: log)
      for number in 1...5 {
        numbers.send(number)
        try time.advance(by: at(number))
      }
      numbers.finish()
      try time.run()
      subscription.dispose()
      return log.events
    }
    let expected = try run(on: time)
    #expect(expected.count > 8)
    #expect(try run(on: scheduler) == expected)
  }

  @Test("a clock that wakes too early, and one that cannot wait")
  func oddClocks() async {
    let early = ClockScheduler(OddClock(isBroken: false), runningOn: .immediate)
    await withCheckedContinuation { continuation in
      _ = early.schedule(after: .seconds(3600)) { continuation.resume() }
    }
    let broken = ClockScheduler(OddClock(isBroken: true), runningOn: .immediate)
    let ran = Box(false)
    let work = broken.schedule(after: .seconds(1)) { ran.value = true }
    work.dispose()
    #expect(work.isDisposed)
    #expect(!ran.value)
  }

  @Test("a task whose work is due while another one delivers does not ask the clock again and again")
  func dueWhileAnotherDelivers() async {
    let clock = CountingClock()
    // The work below blocks a thread, which must not be one of all tasks.
    let scheduler = ClockScheduler(clock, runningOn: .immediate, waitingOn: QueueExecutor())
    let order = Journal<Int>()
    let last = scheduler.schedule(after: .seconds(3_600)) {}
    await withCheckedContinuation { continuation in
      _ = scheduler.schedule(after: at(1)) {
        order.append(1)
        // Nothing is left, so the next work gets a task of its own, which wakes while this one is here.
        last.dispose()
        _ = scheduler.schedule(after: at(1)) {
          order.append(2)
          continuation.resume()
        }
        spin { clock.wakeCount.value < 2 }
        var turns = 0
        spin {
          turns += 1
          return clock.wakeCount.value < 10 && turns < 4_000
        }
        order.append(clock.wakeCount.value)
      }
    }
    #expect(order.entries == [1, 2, 2])
  }

  @Test("the tolerance of work delays no other work", arguments: [false, true])
  func tolerances(isTolerantFirst: Bool) throws {
    let log = Journal<String>()
    let scheduler = ClockScheduler(LateClock(time: time), runningOn: .immediate, waitingOn: time)
    let note: @Sendable (String) -> Void = { [time] in log.append("\($0) at \(time.now.sinceOrigin)") }
    let bag = DisposeBag()
    let plans: [(Int, tolerance: Duration?, String)] = [(100, at(3_000), "tolerant"), (200, nil, "exact")]
    for (delay, tolerance, name) in isTolerantFirst ? plans : plans.reversed() {
      scheduler.schedule(after: at(delay), tolerance: tolerance) { note(name) }.store(in: bag)
    }
    try time.advance(by: at(10_000))
    #expect(log.entries == ["tolerant at \(at(200))", "exact at \(at(200))"])
    // Alone, it may be as late as it allows.
    scheduler.schedule(after: at(100), tolerance: at(50)) { note("alone") }.store(in: bag)
    try time.advance(by: at(1_000))
    #expect(log.entries.last == "alone at \(at(10_150))")
  }

  @Test("a clock whose sleep throws once, and one whose sleep always throws")
  func failingClocks() throws {
    for (failures, runs) in [(1, true), (7, true), (Int.max, false)] {
      let log = Journal<Int>()
      let clock = FailingClock(time: VirtualTimeScheduler(), failures: failures)
      let scheduler = ClockScheduler(clock, runningOn: .immediate, waitingOn: clock.time)
      let work = scheduler.schedule(after: at(5)) { log.append(5) }
      try clock.time.advance(by: at(10))
      #expect(log.entries == (runs ? [5] : []))
      clock.failuresLeft.value = 0
      let other = scheduler.schedule(after: at(5)) { log.append(15) }
      try clock.time.advance(by: at(10))
      #expect(log.entries == [5, 15])
      work.dispose()
      other.dispose()
    }
  }

  @Test("on its own queue: in order and one at a time, however many threads schedule")
  func ownQueue() async {
    let scheduler = ClockScheduler(OddClock(isBroken: false))
    let (perThread, threads) = (500, 4)
    let inside = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let log = Journal<Int>()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      onThreads(threads) { thread in
        for number in 0..<perThread {
          // A clock on which no time passes: all is due at one moment.
          let work = scheduler.schedule(after: .zero) {
            if inside.add(1, ordering: .acquiringAndReleasing).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
            log.append(thread * perThread + number)
            inside.subtract(1, ordering: .acquiringAndReleasing)
            if log.entries.count == perThread * threads { continuation.resume() }
          }
          withExtendedLifetime(work) {}
        }
      }
    }
    #expect(overlaps.load(ordering: .relaxed) == 0)
    for thread in 0..<threads {
      let own = log.entries.filter { $0 / perThread == thread }
      #expect(own == own.sorted())
    }
  }

  @Test("any clock will do, also one whose type is not known")
  func existential() async {
    let clocks: [any Clock<Duration>] = [ContinuousClock(), SuspendingClock()]
    for clock in clocks {
      await withCheckedContinuation { continuation in
        let timer = Signal.timer(after: .zero, on: .clock(clock)).subscribe { continuation.resume() }
        timer.retained()
      }
    }
  }
}

/// A clock that never waits, on which no time passes.
private struct OddClock: Clock {
  struct Broken: Error {}

  let isBroken: Bool

  var now: SchedulerInstant { SchedulerInstant(sinceOrigin: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: SchedulerInstant, tolerance: Duration?) async throws {
    if isBroken { throw Broken() }
  }
}

private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// The continuous clock, with the number of sleeps that have ended by themselves.
private struct CountingClock: Clock {
  private let clock = ContinuousClock()
  let wakeCount = Box(0)

  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
    wakeCount.withLock { $0 += 1 }
  }
}

/// A clock that wakes as late as it may.
private struct LateClock: Clock {
  let time: VirtualTimeScheduler

  var now: SchedulerInstant { time.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: SchedulerInstant, tolerance: Duration?) async throws {
    try await time.sleep(until: deadline.advanced(by: tolerance ?? .zero), tolerance: nil)
  }
}

/// A clock whose first calls of `sleep` throw.
private struct FailingClock: Clock {
  struct Broken: Error {}

  let time: VirtualTimeScheduler
  let failuresLeft: Box<Int>

  init(time: VirtualTimeScheduler, failures: Int) {
    self.time = time
    failuresLeft = Box(failures)
  }

  var now: SchedulerInstant { time.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: SchedulerInstant, tolerance: Duration?) async throws {
    let fails = failuresLeft.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
    if fails { throw Broken() }
    try await time.sleep(until: deadline, tolerance: tolerance)
  }
}
