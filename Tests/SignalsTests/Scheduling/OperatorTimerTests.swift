import Dispatch
import Probes
import Testing

@testable import Signals

/// Virtual time behind a type that operators do not know, so that their timers cancel and schedule anew each time.
private struct PlainScheduler: Scheduler {
  let base: VirtualTimeScheduler

  var now: SchedulerInstant { base.now }

  func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    base.schedule(after: delay, tolerance: tolerance, work)
  }
}

/// Cancels too late: work that is cancelled has begun already, on a thread that is about to run it.
private struct LateScheduler: Scheduler {
  let base: VirtualTimeScheduler

  private final class Work: Disposable {
    private let work: @Sendable () -> Void
    private let scheduled: any Disposable

    init(_ work: @escaping @Sendable () -> Void, _ scheduled: any Disposable) {
      self.work = work
      self.scheduled = scheduled
    }

    func dispose() {
      if !isDisposed { work() }
      scheduled.dispose()
    }

    var isDisposed: Bool { scheduled.isDisposed }
  }

  var now: SchedulerInstant { base.now }

  func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    Work(work, base.schedule(after: delay, tolerance: tolerance, work))
  }
}

/// Counts what is scheduled, on behalf of a scheduler that stores cancelled work until its deadline.
private final class StoringScheduler: StoresCancelledWork {
  let base: VirtualTimeScheduler
  let scheduledCount = Box(0)

  init(base: VirtualTimeScheduler) { self.base = base }

  var now: SchedulerInstant { base.now }

  func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    scheduledCount.withLock { $0 += 1 }
    return base.schedule(after: delay, tolerance: tolerance, work)
  }
}

@Suite("Timers of operators")
struct OperatorTimerTests {
  private let scheduler = VirtualTimeScheduler()
  private let emitter = Emitter<Int>()
  private let interval = Duration.milliseconds(10)

  private enum Happening: Equatable {
    case event(Event<Int>, at: Duration)
    case work(Int, at: Duration), workAfter(Int, at: Duration), choice(of: Int)
    case pending(Int), end(at: Duration, ranCount: Int)
  }

  private static let operators: [(String, @Sendable (Signal<Int>, any Scheduler) -> Signal<Int>)] = [
    ("debounce", { $0.debounce(for: .milliseconds(3), on: $1) }),
    ("debounce twice", { $0.debounce(for: .milliseconds(2), on: $1).debounce(for: .milliseconds(2), on: $1) }),
    ("throttle", { $0.throttle(for: .milliseconds(3), on: $1, latest: true) }),
    ("throttle first", { $0.throttle(for: .milliseconds(3), on: $1, latest: false) }),
    ("timeout", { $0.timeout(after: .milliseconds(4), on: $1, fallback: .just(-1)) }),
    ("interval", { $0.flatMapLatest { [time = $1] _ in .interval(every: .milliseconds(2), on: time).prefix(3) } }),
    ("delay", { $0.delay(for: .milliseconds(2), on: $1) }),
  ]

  /// Sends values at crowded moments, with other work before and after them at the same moments, and writes down what happens in which order.
  private static func happenings(
    _ make: (Signal<Int>, any Scheduler) -> Signal<Int>, seed: Int, isPlain: Bool, choosing: Bool
  ) throws -> [Happening] {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Happening>()
    if choosing {
      scheduler.setChooser { ready in
        log.append(.choice(of: ready))
        return (ready * 7 + seed) % ready
      }
    }
    let emitter = Emitter<Int>()
    let subscription = make(emitter.signal, isPlain ? PlainScheduler(base: scheduler) : scheduler).subscribeToEvents {
      log.append(.event($0, at: scheduler.now.sinceOrigin))
    }
    for index in 0..<40 {
      let time = Duration.milliseconds((index * index * 31 + seed * 17 + index) % 60)
      switch (index + seed) % 3 {
      case 0: _ = scheduler.schedule(after: time) { log.append(.work(index, at: scheduler.now.sinceOrigin)) }
      case 1: _ = scheduler.schedule(after: time) { emitter.send(index) }
      default:
        _ = scheduler.schedule(after: time) {
          emitter.send(index)
          // Due together with what the value set going.
          for delay in 2...4 {
            _ = scheduler.schedule(after: .milliseconds(delay)) {
              log.append(.workAfter(index, at: scheduler.now.sinceOrigin))
            }
          }
        }
      }
    }
    try scheduler.advance(by: .milliseconds(50))
    log.append(.pending(scheduler.pendingCount))
    if seed.isMultiple(of: 2) {
      subscription.dispose()
    } else {
      emitter.finish()
    }
    log.append(.pending(scheduler.pendingCount))
    try scheduler.run()
    log.append(.end(at: scheduler.now.sinceOrigin, ranCount: scheduler.ranCount))
    subscription.dispose()
    return log.entries
  }

  @Test("all is as if each setting were a work item of its own", arguments: 0..<7, [false, true])
  func parity(row: Int, choosing: Bool) throws {
    for seed in 0..<30 {
      let make = Self.operators[row].1
      let own = try Self.happenings(make, seed: seed, isPlain: false, choosing: choosing)
      let plain = try Self.happenings(make, seed: seed, isPlain: true, choosing: choosing)
      #expect(own == plain, "\(Self.operators[row].0), seed \(seed)")
      #expect(own.count > 20)
    }
  }

  @Test("a timer that was set anew comes after what was scheduled before that, and before what was scheduled later")
  func place() throws {
    enum Happening { case before, value, after }
    let log = Journal<Happening>()
    let subscription = emitter.signal.debounce(for: interval, on: scheduler).subscribe {
      if $0 == 2 { log.append(.value) }
    }
    emitter.send(1)
    try scheduler.advance(by: .milliseconds(3))
    _ = scheduler.schedule(after: .milliseconds(12)) { log.append(.before) }
    try scheduler.advance(by: .milliseconds(2))
    emitter.send(2)
    try scheduler.advance(by: .milliseconds(1))
    _ = scheduler.schedule(after: .milliseconds(9)) { log.append(.after) }
    #expect(scheduler.pendingCount == 3)
    try scheduler.advance(by: .milliseconds(8))
    #expect(log.entries == [])
    try scheduler.advance(by: .milliseconds(1))
    #expect(log.entries == [.before, .value, .after])
    #expect(scheduler.pendingCount == 0)
    #expect(scheduler.ranCount == 3)
    subscription.dispose()
  }

  @Test("work that had begun when its timer was set anew does nothing")
  func late() throws {
    let log = EventLog<Int>()
    let subscription = emitter.signal.debounce(for: interval, on: LateScheduler(base: scheduler)).log(to: log)
    emitter.send(1)
    emitter.send(2)
    #expect(log.events == [])
    try scheduler.run()
    #expect(log.events == [.value(2)])
    emitter.send(3)
    subscription.dispose()
    #expect(log.events == [.value(2)])
  }

  @Test("a dispatch queue stores one work item for each interval, not for each value")
  func storedWork() throws {
    let queues: [any Scheduler] = [DispatchQueueScheduler(qos: .default), MainScheduler.main]
    #expect(queues.allSatisfy { $0 is any StoresCancelledWork })
    let storing = StoringScheduler(base: scheduler)
    let log = Journal<Duration>()
    let subscription = emitter.signal.debounce(for: interval, on: storing).subscribe { [scheduler] value in
      #expect(value == 1_000)
      log.append(scheduler.now.sinceOrigin)
    }
    for value in 1...1_000 {
      try scheduler.advance(by: .milliseconds(1))
      emitter.send(value)
      #expect(scheduler.pendingCount == 1)
    }
    try scheduler.run()
    #expect(log.entries == [.milliseconds(1_010)])
    #expect((90...120).contains(storing.scheduledCount.value))
    // After a pause, and for an operator whose next deadline may be earlier.
    emitter.send(1_000)
    try scheduler.run()
    #expect(log.entries == [.milliseconds(1_010), .milliseconds(1_020)])
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("a timer of a dispatch queue that is set to an earlier moment runs then, and once")
  func earlierStored() throws {
    let storing = StoringScheduler(base: scheduler)
    let log = Journal<Duration>()
    let alarm = Emitter<Duration>()
    let signal = Signal<Void> { producer in
      let timer = producer.junction.timer(on: storing) { _ in log.append(storing.now.sinceOrigin) }
      producer.own(alarm.signal.subscribe { delay in producer.junction.run { timer.set(after: delay) } })
    }
    let subscription = signal.subscribe {}
    for delay in [50, 20, 30, 10, 40, -1, 5] { alarm.send(.milliseconds(delay)) }
    #expect(scheduler.pendingCount == 1)
    try scheduler.run()
    #expect(log.entries == [.milliseconds(5)])
    alarm.send(.milliseconds(7))
    try scheduler.run()
    #expect(log.entries == [.milliseconds(5), .milliseconds(12)])
    subscription.dispose()
  }

  @Test("a disposed operator's timer keeps nothing and moves no time")
  func disposal() throws {
    let life = LifeCount()
    func subscribe() -> Subscription {
      let token = life.token()
      return emitter.signal.debounce(for: interval, on: scheduler).subscribe { _ in token.touch() }
    }
    let subscription = subscribe()
    emitter.send(1)
    emitter.send(2)
    #expect(scheduler.pendingCount == 1)
    #expect(life.alive == 1)
    subscription.dispose()
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
    try scheduler.run()
    #expect(scheduler.now.sinceOrigin == .zero)
    #expect(scheduler.ranCount == 0)
  }

  @Test("time advances on one thread while others set timers: calls do not overlap and the newest value comes")
  func threads() throws {
    let check = GrammarCheck<Int>()
    let newest = Box(0)
    let delivered = Box(0)
    let failures = Journal<VirtualTimeError>()
    let subscription = emitter.signal.handle(onValue: { newest.value = $0 }).debounce(for: interval, on: scheduler)
      .subscribeToEvents { event in
        check.take(event)
        if case .value(let value) = event { delivered.value = value }
      }
    onThreads(3) { [emitter, scheduler] thread in
      for step in 1...2_000 {
        if thread > 0 {
          emitter.send(step * 2 + thread)
          continue
        }
        do throws(VirtualTimeError) { try scheduler.advance(by: .milliseconds(step % 20)) } catch {
          failures.append(error)
        }
      }
    }
    try scheduler.run()
    #expect(failures.entries.isEmpty)
    #expect(check.overlaps == 0)
    #expect(delivered.value == newest.value)
    #expect(scheduler.pendingCount == 0)
    subscription.dispose()
  }

  @Test("a timer that is set to an earlier moment runs then, and once")
  func earlier() throws {
    let log = Journal<Duration>()
    let scheduler = scheduler
    let alarm = Emitter<Duration>()
    let signal = Signal<Void> { producer in
      let timer = producer.junction.timer(on: scheduler) { _ in
        log.append(scheduler.now.sinceOrigin)
      }
      producer.own(alarm.signal.subscribe { delay in producer.junction.run { timer.set(after: delay) } })
    }
    let subscription = signal.subscribe {}
    alarm.send(.milliseconds(50))
    alarm.send(.milliseconds(20))
    alarm.send(.milliseconds(30))
    alarm.send(.milliseconds(10))
    #expect(scheduler.pendingCount == 1)
    try scheduler.advance(by: .milliseconds(15))
    alarm.send(.milliseconds(25))
    try scheduler.run()
    #expect(log.entries == [.milliseconds(10), .milliseconds(40)])
    #expect(scheduler.ranCount == 2)
    #expect(scheduler.now.sinceOrigin == .milliseconds(40))
    subscription.dispose()
  }

  @Test("with the graph on, the latest setting is the one work item that is pending")
  func pendingWork() throws {
    struct Delivery: Equatable {
      var value: Int
      var pending: [PendingWork.Stage]
    }
    let recorder = GraphRecorder()
    let log = Journal<Delivery>()
    let subscription = recorder.record {
      emitter.signal.debounce(for: interval, on: scheduler).subscribe {
        log.append(Delivery(value: $0, pending: recorder.pendingWork.map(\.stage)))
      }
    }
    // Also for values that come after the recording has ended.
    for value in 1...3 { emitter.send(value) }
    #expect(recorder.pendingWork.map(\.stage) == [.waiting])
    #expect(recorder.pendingWork.first?.site?.kind == "debounce")
    try scheduler.run()
    #expect(log.entries == [Delivery(value: 3, pending: [.onItsWay])])
    #expect(recorder.pendingWork.isEmpty)
    emitter.send(4)
    #expect(recorder.pendingWork.count == 1)
    subscription.dispose()
    #expect(recorder.pendingWork.isEmpty)
  }
}
