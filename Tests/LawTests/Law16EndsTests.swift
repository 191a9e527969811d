import Probes
import Signals
import Testing

@Suite("Law 16: ends")
struct Law16EndsTests {
  @Test("Law 16: prefix of 0 or less finishes at once and does not subscribe", arguments: [0, -1, Int.min])
  func prefixZero(count: Int) {
    let emitter = Emitter<Int>(replay: 1)
    emitter.send(1)
    let log = EventLog<Int>()
    let subscription = emitter.signal.handle(onSubscribe: { log.append(.value(-1)) }).prefix(count).log(to: log)
    #expect(log.events == [.finished])
    #expect(subscription.isDisposed)
  }

  @Test("Law 16: merge finishes after all; of nothing at once")
  func merge() {
    let inputs = [Emitter<Int>(), Emitter<Int>()]
    let log = EventLog<Int>()
    let subscription = Signal.merge(inputs.map(\.signal)).log(to: log)
    inputs[0].finish()
    inputs[1].send(1)
    #expect(log.events == [.value(1)])
    inputs[1].finish()
    #expect(log.events == [.value(1), .finished])
    let none = EventLog<Int>()
    let empty = Signal<Int>.merge([]).log(to: none)
    #expect(none.events == [.finished])
    #expect(subscription.isDisposed && empty.isDisposed)
  }

  @Test("Law 16: combineLatest finishes when all have, or when one has without a value")
  func combineLatest() {
    let (left, right) = (Emitter<Int>(), Emitter<Int>())
    let log = EventLog<Int>()
    let first = left.signal.combineLatest(right.signal).map { $0 * 10 + $1 }.log(to: log)
    left.send(1)
    right.send(2)
    left.finish()
    right.send(3)
    #expect(log.events == [.value(12), .value(13)])
    right.finish()
    #expect(log.events == [.value(12), .value(13), .finished])
    let emptyLog = EventLog<Int>()
    let other = Emitter<Int>()
    let second = Signal.empty().combineLatest(other.signal).map { $0 + $1 }.log(to: emptyLog)
    #expect(emptyLog.events == [.finished])
    #expect(other.subscriberCount == 0)
    #expect(first.isDisposed && second.isDisposed)
  }

  @Test("Law 16: zip finishes when a finished input has nothing waiting")
  func zip() {
    let (left, right) = (Emitter<Int>(), Emitter<Int>())
    let log = EventLog<Int>()
    let subscription = left.signal.zip(right.signal).map { $0 * 10 + $1 }.log(to: log)
    left.send(1)
    left.send(2)
    left.finish()
    right.send(3)
    #expect(log.events == [.value(13)])
    right.send(4)
    #expect(log.events == [.value(13), .value(24), .finished])
    #expect(right.subscriberCount == 0)
    #expect(subscription.isDisposed)
  }

  @Test("Law 16: flatMap finishes when the outer and every inner have")
  func flatMap() {
    let outer = Emitter<Int>()
    let inner = [Emitter<Int>(), Emitter<Int>()]
    let log = EventLog<Int>()
    let subscription = outer.signal.flatMap { inner[$0].signal }.log(to: log)
    outer.send(0)
    outer.send(1)
    inner[0].finish()
    outer.finish()
    inner[1].send(5)
    #expect(log.events == [.value(5)])
    inner[1].finish()
    #expect(log.events == [.value(5), .finished])
    #expect(subscription.isDisposed)
  }

  @Test("Law 16: endless inner signals that deliver at once end with the prefix")
  func endlessInner() {
    for make: @Sendable (Signal<Int>) -> Signal<Int> in [
      { $0.flatMap { _ in .sequence(0...) } }, { $0.flatMap(maxConcurrent: 1) { _ in .sequence(0...) } },
      { $0.flatMapLatest { _ in .sequence(0...) } }, { $0.catch { _ in .sequence(0...) } },
    ] {
      let log = EventLog<Int>()
      let source = Signal.concat([.just(-1), .fail(Failure())])
      let subscription = make(source).prefix(3).log(to: log)
      #expect(log.values.count == 3)
      #expect(log.ends == [.finished])
      #expect(subscription.isDisposed)
    }
  }

  @Test("Law 16: a hundred thousand failing retries and empty signals need no stack")
  func manyInARow() {
    let count = 100_000
    let log = EventLog<Int>()
    let retried = Signal<Int>.fail(Failure()).retry(count).log(to: log)
    #expect(log.events == [.failed(Failure())])
    let concatLog = EventLog<Int>()
    let rows = Signal<Int>.concat(Array(repeating: .empty(), count: count)).log(to: concatLog)
    #expect(concatLog.events == [.finished])
    let mapLog = EventLog<Int>()
    let mapped = Signal.sequence(0..<count).flatMap(maxConcurrent: 1) { _ in Signal<Int>.empty() }.log(to: mapLog)
    #expect(mapLog.events == [.finished])
    let gate = Emitter<Int>()
    let waitingLog = EventLog<Int>()
    let waiting = Signal.sequence(0..<count).flatMap(maxConcurrent: 1) { $0 == 0 ? gate.signal : .empty() }
      .log(to: waitingLog)
    #expect(waitingLog.events.isEmpty)
    gate.finish()
    #expect(waitingLog.events == [.finished])
    #expect(retried.isDisposed && rows.isDisposed && mapped.isDisposed && waiting.isDisposed)
  }
}
