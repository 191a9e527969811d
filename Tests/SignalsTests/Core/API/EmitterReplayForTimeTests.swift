import Probes
import SignalTesting
import Signals
import Testing

/// An emitter whose memory grows too old.
@Suite("Emitter(replay:for:on:)")
struct EmitterReplayForTimeTests {
  /// What a new subscriber gets.
  private func replayed(_ emitter: Emitter<Int>) -> [Event<Int>] {
    let log = EventLog<Int>()
    emitter.signal.log(to: log).dispose()
    return log.events
  }

  @Test("a newcomer gets the latest values that are younger than that, before and after the end")
  func ages() throws {
    let clock = VirtualTimeScheduler()
    let numbers = Emitter<Int>(replay: 2, for: .seconds(10), on: clock)
    #expect(replayed(numbers) == [])
    numbers.send(1)
    try clock.advance(by: .seconds(1))
    numbers.send(2)
    try clock.advance(by: .seconds(1))
    numbers.send(3)
    #expect(replayed(numbers) == [.value(2), .value(3)])
    try clock.advance(by: .seconds(8))
    #expect(replayed(numbers) == [.value(2), .value(3)])
    try clock.advance(by: .seconds(1))
    #expect(replayed(numbers) == [.value(3)])
    numbers.finish()
    #expect(replayed(numbers) == [.value(3), .finished])
    try clock.advance(by: .seconds(1))
    #expect(replayed(numbers) == [.finished])
  }

  @Test("subscribers get everything, however old it is when they handle it; what a handler sends comes after")
  func live() throws {
    let clock = VirtualTimeScheduler()
    let numbers = Emitter<Int>(replay: 1, for: .seconds(1), on: clock)
    let log = EventLog<Int>()
    let subscription = numbers.signal.handle { if $0 == 1 { numbers.send(2) } }.log(to: log)
    numbers.send(1)
    #expect(log.events == [.value(1), .value(2)])
    #expect(replayed(numbers) == [.value(2)])
    subscription.dispose()
  }

  @Test("a duration of zero or less replays what came at the same moment", arguments: [0, -5, Int64.min])
  func noTime(milliseconds: Int64) throws {
    let clock = VirtualTimeScheduler()
    let numbers = Emitter<Int>(replay: 3, for: .milliseconds(milliseconds), on: clock)
    numbers.send(1)
    try clock.advance(by: .milliseconds(1))
    numbers.send(2)
    #expect(replayed(numbers) == [.value(2)])
  }

  @Test("a count of zero or less replays nothing", arguments: [0, -1])
  func nothing(count: Int) {
    let numbers = Emitter<Int>(replay: count, for: .seconds(1), on: VirtualTimeScheduler())
    numbers.send(1)
    #expect(replayed(numbers) == [])
  }

  @Test("one value is kept, as long as none has taken its place; what is too old to be replayed is released then")
  func released() throws {
    let clock = VirtualTimeScheduler()
    let life = LifeCount()
    let tokens = Emitter<LifeCount.Token>(replay: 1, for: .seconds(1), on: clock)
    for _ in 0..<5 { tokens.send(life.token()) }
    #expect(life.alive == 1)
  }

  @Test("Law 6: subscribing while others send is exact")
  func racing() {
    for _ in 0..<50 {
      let numbers = Emitter<Int>(replay: 1, for: .seconds(1), on: VirtualTimeScheduler())
      let log = EventLog<Int>()
      let kept = Box<Subscription?>(nil)
      numbers.send(0)
      onThreads {
        for number in 1...100 { numbers.send(number) }
      } _: {
        kept.value = numbers.signal.log(to: log)
      }
      let values = log.values
      #expect(values.last == 100 && values == Array((values.first ?? 0)...100))
      kept.value?.dispose()
    }
  }
}
