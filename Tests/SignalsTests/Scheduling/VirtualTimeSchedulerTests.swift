import Signals
import Testing

@Suite("Virtual time")
struct VirtualTimeSchedulerTests {
  @Test("work runs in order of time, phase and scheduling")
  func order() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<String>()
    let instant = SchedulerInstant(sinceOrigin: .milliseconds(10))
    _ = scheduler.schedule(after: .milliseconds(20)) { log.append("20") }
    _ = scheduler.schedule(after: .milliseconds(10)) { log.append("first work") }
    scheduler.schedule(at: instant, phase: .hotSource) { log.append("hot") }
    scheduler.schedule(at: instant, phase: .test) { log.append("test") }
    _ = scheduler.schedule(after: .milliseconds(10)) { log.append("second work") }
    _ = scheduler.schedule(after: .milliseconds(-5)) { log.append("past") }
    scheduler.schedule { log.append("now") }
    try scheduler.advance(by: .milliseconds(10))
    #expect(log.entries == ["past", "now", "test", "hot", "first work", "second work"])
    #expect(scheduler.now == instant)
    #expect(scheduler.pendingCount == 1)
    try scheduler.run()
    #expect(log.entries.last == "20")
    #expect(scheduler.now.sinceOrigin == .milliseconds(20))
    #expect(scheduler.ranCount == 7)
  }

  @Test("cancelled work does not run, and does not pile up")
  func cancel() throws {
    let scheduler = VirtualTimeScheduler()
    let life = LifeCount()
    for _ in 0..<10_000 {
      let token = life.token()
      let work = scheduler.schedule(after: .seconds(1)) { token.touch() }
      work.dispose()
      work.dispose()
      #expect(work.isDisposed)
    }
    #expect(life.alive == 0)
    #expect(scheduler.pendingCount == 0)
    try scheduler.run()
    #expect(scheduler.ranCount == 0)
  }

  @Test("the chooser picks among ready work of one phase, may use the scheduler, and may pick badly")
  func chooser() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<Int>()
    let counts = Journal<Int>()
    scheduler.setChooser { [weak scheduler] ready in
      counts.append(ready + (scheduler?.pendingCount ?? 0) * 0)
      return ready - 1
    }
    for index in 0..<3 { scheduler.schedule { log.append(index) } }
    try scheduler.advance()
    #expect(log.entries == [2, 1, 0])
    #expect(counts.entries == [3, 2])
    scheduler.setChooser { _ in 99 }
    for index in 5..<7 { scheduler.schedule { log.append(index) } }
    try scheduler.advance()
    #expect(log.entries == [2, 1, 0, 5, 6])
  }

  @Test("limits and wrong use are errors that say what")
  func errors() throws {
    let scheduler = VirtualTimeScheduler(workLimit: 3)
    let log = Journal<Int>()
    for index in 0..<5 { scheduler.schedule { log.append(index) } }
    #expect(throws: VirtualTimeError.workLimit(3, at: .zero)) { try scheduler.advance() }
    #expect(log.entries == [0, 1, 2])
    try scheduler.advance()
    #expect(log.entries == [0, 1, 2, 3, 4])
    try scheduler.advance(by: .seconds(1))
    #expect(throws: VirtualTimeError.intoThePast(from: .seconds(1), to: .zero)) {
      try scheduler.advance(by: .seconds(-1))
    }
    let inner = Box<VirtualTimeError?>(nil)
    scheduler.schedule {
      do throws(VirtualTimeError) { try scheduler.advance(by: .seconds(1)) } catch { inner.value = error }
    }
    try scheduler.advance()
    #expect(inner.value == .alreadyAdvancing)
    _ = scheduler.schedule(after: .seconds(100)) {}
    let limit = SchedulerInstant(sinceOrigin: .seconds(50))
    #expect(throws: VirtualTimeError.timeLimit(.seconds(50), pending: 1)) { try scheduler.run(until: limit) }
  }

  @Test("a clock: sleeping, cancellation, streams and child tasks, the same on every run")
  func clock() throws {
    for _ in 0..<50 {
      let scheduler = VirtualTimeScheduler()
      let log = Journal<String>()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      scheduler.task {
        for value in 1...3 {
          try await scheduler.sleep(for: .milliseconds(10))
          log.append("send \(value)")
          continuation.yield(value)
        }
        continuation.finish()
      }
      scheduler.task {
        for await value in stream { log.append("got \(value) at \(scheduler.now.sinceOrigin)") }
        async let left: Void = scheduler.sleep(for: .milliseconds(5))
        async let right: Void = scheduler.sleep(for: .milliseconds(7))
        _ = try await (left, right)
        log.append("children at \(scheduler.now.sinceOrigin)")
      }
      let sleeper = scheduler.task {
        do { try await scheduler.sleep(for: .seconds(60)) } catch {
          log.append("cancelled \(scheduler.now.sinceOrigin)")
        }
      }
      try scheduler.advance(by: .milliseconds(15))
      sleeper.cancel()
      try scheduler.advance(by: .milliseconds(5))
      try scheduler.run()
      #expect(
        log.entries == [
          "send 1", "got 1 at 0.01 seconds", "cancelled 0.015 seconds", "send 2", "got 2 at 0.02 seconds",
          "send 3", "got 3 at 0.03 seconds", "children at 0.037 seconds",
        ])
      #expect(scheduler.pendingCount == 0)
    }
  }
}
