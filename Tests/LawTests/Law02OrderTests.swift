import Probes
import Signals
import Testing

@Suite("Law 2: one order for all subscribers")
struct Law02OrderTests {
  @Test("Law 2: a nested send comes after the current value, before the outer send returns", arguments: [0, 1, 3])
  func nested(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let logs = [EventLog<Int>(), EventLog<Int>()]
    let first = emitter.signal.subscribe { value in
      logs[0].append(.value(value))
      if value == 1 {
        emitter.send(2)
        emitter.send(3)
      }
      if value == 2 { emitter.send(4) }
    }
    let second = emitter.signal.log(to: logs[1])
    emitter.send(1)
    for log in logs { #expect(log.values == [1, 2, 3, 4]) }
    withExtendedLifetime((first, second)) {}
  }

  @Test("Law 2: nested writes of a property")
  func nestedProperty() {
    let property = Property(0)
    let logs = [EventLog<Int>(), EventLog<Int>()]
    let first = property.signal.subscribe { value in
      logs[0].append(.value(value))
      if value < 5 { property.value = value + 1 }
    }
    let second = property.signal.log(to: logs[1])
    #expect(logs[0].values == [0, 1, 2, 3, 4, 5])
    #expect(logs[1].values == [5])
    property.value = 3
    #expect(logs[0].values == [0, 1, 2, 3, 4, 5, 3, 4, 5])
    #expect(logs[1].values == [5, 3, 4, 5])
    withExtendedLifetime((first, second)) {}
  }

  @Test("Law 2: a hundred thousand nested sends need no stack")
  func deep() {
    let emitter = Emitter<Int>()
    let last = Box(0)
    let subscription = emitter.signal.map { $0 }.prefix(200_000).subscribe { value in
      last.value = value
      if value < 100_000 { emitter.send(value + 1) }
    }
    emitter.send(0)
    #expect(last.value == 100_000)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 2: subscribers see the same order while several threads send", arguments: [0, 1, 4])
  func sameOrder(replay: Int) {
    let emitter = Emitter<Int>(replay: replay)
    let logs = (0..<3).map { _ in EventLog<Int>() }
    let subscriptions = logs.map { emitter.signal.log(to: $0) }
    onThreads(4) { thread in
      for index in 0..<500 { emitter.send(thread * 1_000 + index) }
    }
    #expect(logs[0].values.count == 2_000)
    #expect(logs[1].values == logs[0].values)
    #expect(logs[2].values == logs[0].values)
    for thread in 0..<4 {
      #expect(logs[0].values.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
    for subscription in subscriptions { subscription.dispose() }
  }
}
