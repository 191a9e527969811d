import Probes
import SignalTesting
import Signals
import Testing

/// Delivers each value with the moment at which it comes.
@Suite("timestamp")
struct TimestampTests {
  @Test("each value comes at once, with its moment")
  func values() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = EventLog<Timestamped<Int>>()
    let subscription = numbers.signal.timestamp(on: scheduler).log(to: log)
    numbers.send(1)
    try scheduler.advance(by: .milliseconds(20))
    numbers.send(2)
    numbers.send(3)
    numbers.finish()
    func at(_ milliseconds: Int) -> SchedulerInstant { SchedulerInstant(sinceOrigin: .milliseconds(milliseconds)) }
    #expect(
      log.events == [
        .value(Timestamped(1, at: at(0))), .value(Timestamped(2, at: at(20))), .value(Timestamped(3, at: at(20))),
        .finished,
      ])
    subscription.dispose()
  }

  @Test("the end and a failure pass")
  func ends() {
    marbles { m in
      let (empty, never) = (m.hot("--|"), m.hot("---"))
      m.expect(empty.signal.timestamp(on: m.scheduler).map(\.value), "--|")
      m.expect(never.signal.timestamp(on: m.scheduler).map(\.value), "---")
      let failing = m.hot("-a#", error: Failure(number: 1))
      m.expect(failing.signal.timestamp(on: m.scheduler).map(\.value), "-a#", error: Failure(number: 1))
    }
  }
}
