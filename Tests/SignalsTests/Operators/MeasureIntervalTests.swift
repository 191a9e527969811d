import Probes
import SignalTesting
import Signals
import Testing

/// Delivers the times between values.
@Suite("measureInterval")
struct MeasureIntervalTests {
  @Test("the first counts from the subscription, each other from the value before; each subscription for itself")
  func values() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let (first, second) = (EventLog<Duration>(), EventLog<Duration>())
    let bag = DisposeBag()
    let intervals = numbers.signal.measureInterval(on: scheduler)
    try scheduler.advance(by: .milliseconds(5))
    intervals.log(to: first).store(in: bag)
    try scheduler.advance(by: .milliseconds(2))
    intervals.log(to: second).store(in: bag)
    try scheduler.advance(by: .milliseconds(1))
    numbers.send(1)
    numbers.send(2)
    try scheduler.advance(by: .milliseconds(7))
    numbers.send(3)
    numbers.finish()
    #expect(first.events == [.value(.milliseconds(3)), .value(.zero), .value(.milliseconds(7)), .finished])
    #expect(second.events == [.value(.milliseconds(1)), .value(.zero), .value(.milliseconds(7)), .finished])
  }

  @Test("the end and a failure pass")
  func ends() {
    marbles { m in
      let (empty, never) = (m.hot("--|"), m.hot("---"))
      m.expect(empty.signal.measureInterval(on: m.scheduler).map { _ in "x" }, "--|")
      m.expect(never.signal.measureInterval(on: m.scheduler).map { _ in "x" }, "---")
      let failing = m.hot("-a#", error: Failure(number: 1))
      m.expect(
        failing.signal.measureInterval(on: m.scheduler).map { _ in "x" }, "-x#", error: Failure(number: 1))
    }
  }
}
