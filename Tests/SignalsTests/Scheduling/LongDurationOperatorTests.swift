import Dispatch
import Probes
import SignalTesting
import Signals
import Testing

@Suite("Operators of time over durations that no clock reaches")
struct LongDurationOperatorTests {
  private static let durations: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(Int64.max), Duration(attoseconds: .max),
    Duration(attoseconds: .min), .seconds(Int64.max / 2 + 1),
  ]

  private let emitter = Emitter<Int>()

  @Test("interval: times that never come", arguments: durations, durations)
  func interval(every period: Duration, after delay: Duration) throws {
    let scheduler = VirtualTimeScheduler()
    try scheduler.advance(by: .seconds(1))
    let log = EventLog<Int>()
    let subscription = Signal.interval(every: period, on: scheduler, after: delay).prefix(3).log(to: log)
    // A negative period counts as a nanosecond, a negative delay as none.
    if delay < .zero || period < .zero { try scheduler.advance(by: .seconds(1)) }
    #expect(log.values == (delay >= .zero ? [] : period < .zero ? [0, 1, 2] : [0]))
    try scheduler.advance(to: SchedulerInstant(sinceOrigin: Duration(attoseconds: .max)))
    #expect(log.values.count <= 3)
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
  }

  @Test("zero and negative times lose nothing, in a row of such operators", arguments: [Duration.zero, .seconds(-1)])
  func row(time: Duration) {
    marbles { m in
      let letters = m.hot("-a-b-|")
      let result = letters.signal.delay(for: time, on: m.scheduler).debounce(for: time, on: m.scheduler)
        .throttle(for: time, on: m.scheduler, latest: true)
      m.expect(result, "  -a-b-|")
    }
  }

  @Test("every operator of time, in virtual time and on a queue", arguments: durations)
  func operators(duration: Duration) throws {
    let time = VirtualTimeScheduler()
    try time.advance(by: .seconds(1))
    for scheduler in [time, DispatchQueueScheduler(qos: .default), MainScheduler.main] as [any Scheduler] {
      let subscriptions = [
        emitter.signal.delay(for: duration, on: scheduler).subscribe { _ in },
        emitter.signal.debounce(for: duration, on: scheduler).subscribe { _ in },
        emitter.signal.throttle(for: duration, on: scheduler, latest: true).subscribe { _ in },
        emitter.signal.throttle(for: duration, on: scheduler, latest: false).subscribe { _ in },
        emitter.signal.timeout(after: duration, on: scheduler, fallback: .never()).subscribe { _ in },
        Signal.timer(after: duration, on: scheduler).subscribe {},
        Signal.timer(after: duration, on: scheduler, tolerance: duration).subscribe {},
        Signal.interval(every: duration, on: scheduler).prefix(3).subscribe { _ in },
        Signal.interval(every: duration, on: scheduler, after: duration, tolerance: duration).prefix(3)
          .subscribe { _ in },
      ]
      emitter.send(1)
      emitter.send(2)
      for subscription in subscriptions { subscription.dispose() }
    }
    #expect(time.pendingCount == 0)
  }
}
