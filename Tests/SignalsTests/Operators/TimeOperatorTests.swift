import Signals
import Testing

@Suite("debounce, throttle and delay")
struct TimeOperatorTests {
  private let scheduler = VirtualTimeScheduler()
  private let emitter = Emitter<Int>()
  private let log = Journal<String>()
  private let interval = Duration.milliseconds(10)

  /// Subscribes with the time of each event, and sends values at times, then the end.
  private func run(
    _ signal: Signal<Int>, _ values: [(at: Int, value: Int)], end: (at: Int, event: Event<Int>)? = nil
  ) throws -> [String] {
    let subscription = signal.subscribeToEvents { [scheduler, log] event in
      let time = scheduler.now.sinceOrigin / .milliseconds(1)
      switch event {
      case .value(let value): log.append("\(Int(time)):\(value)")
      case .finished: log.append("\(Int(time)):|")
      case .failed: log.append("\(Int(time)):#")
      }
    }
    for (time, event) in values.map({ ($0.at, Event.value($0.value)) }) + (end.map { [($0.at, $0.event)] } ?? []) {
      scheduler.schedule(at: SchedulerInstant(sinceOrigin: .milliseconds(time)), phase: .hotSource) { [emitter] in
        emitter.send(event: event)
      }
    }
    try scheduler.run()
    subscription.dispose()
    #expect(scheduler.pendingCount == 0)
    return log.entries
  }

  @Test("debounce: the last of a burst, and what waits at the end")
  func debounce() throws {
    let signal = emitter.signal.debounce(for: interval, on: scheduler)
    #expect(
      try run(signal, [(0, 1), (5, 2), (14, 3), (40, 4), (60, 5)], end: (65, .finished))
        == ["24:3", "50:4", "65:5", "65:|"])
  }

  @Test("debounce: a failure drops what waits")
  func debounceFailure() throws {
    let signal = emitter.signal.debounce(for: interval, on: scheduler)
    #expect(try run(signal, [(0, 1)], end: (5, .failed(Failure()))) == ["5:#"])
  }

  @Test("throttle: the first, and with latest the newest at the end of the rest")
  func throttle() throws {
    let signal = emitter.signal.throttle(for: interval, on: scheduler, latest: true)
    #expect(
      try run(signal, [(0, 1), (3, 2), (6, 3), (15, 4), (50, 5), (52, 6)], end: (53, .finished))
        == ["0:1", "10:3", "20:4", "50:5", "60:6", "60:|"])
  }

  @Test("throttle without latest drops what comes too early")
  func throttleFirst() throws {
    let signal = emitter.signal.throttle(for: interval, on: scheduler, latest: false)
    #expect(try run(signal, [(0, 1), (3, 2), (12, 3), (13, 4)], end: (14, .finished)) == ["0:1", "12:3", "14:|"])
  }

  @Test("delay: values and the end later, a failure at once", arguments: [true, false])
  func delay(fails: Bool) throws {
    let signal = emitter.signal.delay(for: interval, on: scheduler)
    let end: Event<Int> = fails ? .failed(Failure()) : .finished
    #expect(
      try run(signal, [(0, 1), (1, 2), (5, 3)], end: (12, end))
        == (fails ? ["10:1", "11:2", "12:#"] : ["10:1", "11:2", "15:3", "22:|"]))
  }

  @Test("zero and negative times lose nothing", arguments: [Duration.zero, .seconds(-1)])
  func zero(interval: Duration) throws {
    let signal = emitter.signal.delay(for: interval, on: scheduler).debounce(for: interval, on: scheduler)
      .throttle(for: interval, on: scheduler, latest: true)
    #expect(try run(signal, [(1, 1), (2, 2)], end: (3, .finished)) == ["1:1", "2:2", "3:|"])
  }

  @Test("interval and timer keep their times; intervals make up for what was missed")
  func sources() throws {
    let values = EventLog<Int>()
    let ticks = Signal.interval(every: interval, on: scheduler, after: .milliseconds(3)).prefix(3).log(to: values)
    try scheduler.advance(by: .milliseconds(3))
    #expect(values.values == [0])
    try scheduler.advance(by: .milliseconds(19))
    #expect(values.values == [0, 1])
    try scheduler.advance(by: .milliseconds(1))
    #expect(values.events == [.value(0), .value(1), .value(2), .finished])
    #expect(scheduler.pendingCount == 0)
    let immediate = EventLog<Int>()
    let now = Signal.interval(every: .zero, on: .immediate).prefix(2).log(to: immediate)
    #expect(immediate.events == [.value(0), .value(1), .finished])
    #expect(ticks.isDisposed && now.isDisposed)
  }
}
