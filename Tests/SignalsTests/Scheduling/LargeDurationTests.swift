import Dispatch
import Probes
import Signals
import Testing

@Suite("Moments and schedulers take every duration")
struct LargeDurationTests {
  private static let largest = Duration(attoseconds: .max)
  private static let smallest = Duration(attoseconds: .min)
  private static let extremes = [
    largest, smallest, .seconds(Int64.max), .seconds(Int64.min), .seconds(1), .zero, .nanoseconds(-1),
  ]

  @Test("moments and the time between them stop at the ends of what can be told")
  func instants() {
    let first = SchedulerInstant(sinceOrigin: Self.smallest)
    let last = SchedulerInstant(sinceOrigin: Self.largest)
    #expect(last.advanced(by: .nanoseconds(1)) == last)
    #expect(first.advanced(by: .nanoseconds(-1)) == first)
    #expect(first.duration(to: last) == Self.largest)
    #expect(last.duration(to: first) == Self.smallest)
    #expect(SchedulerInstant(sinceOrigin: .seconds(1)).advanced(by: .seconds(2)).sinceOrigin == .seconds(3))
    for left in Self.extremes {
      for right in Self.extremes {
        let start = SchedulerInstant(sinceOrigin: left)
        _ = start.duration(to: SchedulerInstant(sinceOrigin: right))
        #expect((start.advanced(by: right) < start) == (right < .zero && start != first))
      }
    }
  }

  @Test("a schedule far away on a queue neither traps nor runs", arguments: [Self.largest, .seconds(Int64.max)])
  func queue(delay: Duration) {
    let queue = DispatchQueueScheduler(DispatchQueue(label: "far away"))
    let ran = Box(0)
    let works = [
      queue.schedule(after: delay, tolerance: nil) { ran.withLock { $0 += 1 } },
      queue.schedule(after: .seconds(3_600), tolerance: delay) { ran.withLock { $0 += 1 } },
      queue.schedule(after: delay, tolerance: delay) { ran.withLock { $0 += 1 } },
    ]
    for work in works { work.dispose() }
    #expect(ran.value == 0)
  }

  @Test("a schedule far away on a clock neither traps nor runs, and what is nearer still does", arguments: extremes)
  func clock(delay: Duration) async throws {
    let scheduler = ClockScheduler(ContinuousClock())
    let far = scheduler.schedule(after: max(delay, .seconds(3_600)), tolerance: delay) {
      Issue.record("it is far away")
    }
    #expect(
      try await Signal.timer(after: .milliseconds(1), on: scheduler, tolerance: delay).map { 5 }.firstValue() == 5)
    far.dispose()
  }

  @Test("virtual time takes every delay and moment", arguments: extremes)
  func virtual(duration: Duration) async throws {
    let scheduler = VirtualTimeScheduler()
    let ran = Box(0)
    _ = scheduler.schedule(after: duration) { ran.withLock { $0 += 1 } }
    scheduler.schedule(at: SchedulerInstant(sinceOrigin: duration), phase: .test) { ran.withLock { $0 += 1 } }
    try scheduler.advance(by: .seconds(1))
    if duration > .zero { try scheduler.advance(by: duration) }
    #expect(ran.value == 2)
    // What is slept for is measured from now, so it is too late to be told.
    let sleeper = scheduler.task { try await scheduler.sleep(for: duration) }
    try scheduler.advance(to: SchedulerInstant(sinceOrigin: Self.largest))
    try await sleeper.value
  }
}
