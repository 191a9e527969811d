import Probes
import Signals
import Synchronization
import Testing

/// What the article "Schedulers of your own" shows.
@Suite("Schedulers of your own")
struct SchedulersOfYourOwnTests {
  private let frames = FrameScheduler()

  private func at(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  @Test("what is sent between two frames is delivered in the next, in order; what that sends, in the one after it")
  func frame() {
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    let bag = DisposeBag()
    numbers.signal.receive(on: frames).handle { if $0 == 2 { numbers.send(3) } }.log(to: log).store(in: bag)
    numbers.send(1)
    numbers.send(2)
    #expect(log.events == [])
    frames.runFrame(at: at(16))
    #expect(log.events == [.value(1), .value(2)])
    frames.runFrame(at: at(32))
    #expect(log.events == [.value(1), .value(2), .value(3)])
    numbers.send(4)
    bag.dispose()
    frames.runFrame(at: at(48))
    #expect(log.events.count == 3)
  }

  @Test("operators of time measure in frames")
  func time() {
    let numbers = Emitter<Int>()
    let log = EventLog<Int>()
    let subscription = numbers.signal.debounce(for: at(40), on: frames).log(to: log)
    numbers.send(1)
    frames.runFrame(at: at(16))
    numbers.send(2)
    frames.runFrame(at: at(48))
    #expect(log.events == [])
    frames.runFrame(at: at(64))
    #expect(log.events == [.value(2)])
    subscription.dispose()
  }

  @Test("work that is due at the same time runs in the order in which it was scheduled; what is cancelled does not run")
  func order() {
    let log = Journal<Int>()
    let works = (0..<6).map { number in
      frames.schedule(after: at(number.isMultiple(of: 2) ? 5 : 3)) { log.append(number) }
    }
    works[4].dispose()
    frames.runFrame(at: at(9))
    #expect(log.entries == [1, 3, 5, 0, 2])
    #expect(works.allSatisfy { $0.isDisposed })
  }

  @Test("a scheduler around another: ten times as fast")
  func timeLapse() throws {
    let base = VirtualTimeScheduler()
    let lapse = TimeLapse(base: base)
    let log = Journal<Duration>()
    let subscription = Signal.interval(every: .seconds(1), on: lapse).subscribe { _ in
      log.append(base.now.sinceOrigin)
    }
    try base.advance(by: at(350))
    #expect(log.entries == [at(100), at(200), at(300)])
    #expect(lapse.now.sinceOrigin == .milliseconds(3500))
    subscription.dispose()
  }
}

/// Runs work at the beginning of a frame. Its time is that of the frames.
final class FrameScheduler: Scheduler {
  private struct State {
    var now = SchedulerInstant(sinceOrigin: .zero)
    /// The earliest first.
    var jobs: [(due: SchedulerInstant, job: FrameJob)] = []
  }

  private let state = Mutex(State())

  var now: SchedulerInstant { state.withLock { $0.now } }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    _ = schedule(after: .zero, tolerance: nil, work)
  }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    let job = FrameJob(work)
    state.withLock { state in
      let due = state.now.advanced(by: max(.zero, delay))
      // Behind all that is due no later.
      let index = state.jobs.firstIndex { $0.due > due } ?? state.jobs.endIndex
      state.jobs.insert((due, job), at: index)
    }
    return job
  }

  /// The game calls this once per frame. What is scheduled meanwhile waits for the next frame.
  func runFrame(at time: Duration) {
    let jobs = state.withLock { state in
      state.now = max(state.now, SchedulerInstant(sinceOrigin: time))
      let count = state.jobs.firstIndex { $0.due > state.now } ?? state.jobs.endIndex
      defer { state.jobs.removeFirst(count) }
      return state.jobs.prefix(count)
    }
    // Without the lock: work may schedule.
    for (_, job) in jobs { job.run() }
  }
}

/// Runs once, or is cancelled.
final class FrameJob: Disposable {
  private let work: Mutex<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = Mutex(work)
  }

  func run() { takeWork()?() }

  // What the work holds is released here, not when the frame comes.
  func dispose() { _ = takeWork() }

  var isDisposed: Bool { work.withLock { $0 == nil } }

  private func takeWork() -> (@Sendable () -> Void)? {
    work.withLock { work in
      defer { work = nil }
      return work
    }
  }
}

/// Time passes ten times as fast as on another scheduler.
struct TimeLapse: Scheduler {
  let base: any Scheduler

  var now: SchedulerInstant { SchedulerInstant(sinceOrigin: base.now.sinceOrigin * 10) }

  func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Disposable {
    base.schedule(after: delay / 10, tolerance: tolerance.map { $0 / 10 }, work)
  }
}
