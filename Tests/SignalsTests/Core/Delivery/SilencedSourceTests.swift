import Probes
import Signals
import Testing

@Suite("A source that ends its subscriptions without an event")
struct SilencedSourceTests {
  private let emitter = Emitter<Int>()
  private let other = Emitter<Int>()
  private let scheduler = VirtualTimeScheduler()
  private let log = EventLog<Int>()

  private static let operators:
    [(name: String, make: @Sendable (_ signal: Signal<Int>, VirtualTimeScheduler) -> Signal<Int>)] = [
      ("receive(on:)", { signal, time in signal.receive(on: time) }),
      ("debounce", { signal, time in signal.debounce(for: .milliseconds(3), on: time) }),
      ("delay", { signal, time in signal.delay(for: .milliseconds(3), on: time) }),
      ("throttle", { $0.dropFirst(1).throttle(for: .milliseconds(3), on: $1, latest: true).dropFirst(1) }),
      ("timeout", { signal, time in signal.timeout(after: .milliseconds(3), on: time).filter { _ in false } }),
      ("fallback", { $0.timeout(after: .milliseconds(3), on: $1, fallback: .just(0)).filter { $0 == 0 } }),
      ("collect", { signal, time in signal.collect(for: .milliseconds(3), on: time).map(\.count) }),
      ("sample", { signal, time in signal.sample(every: .milliseconds(3), on: time) }),
      ("audit", { signal, time in signal.audit(for: .milliseconds(3), on: time) }),
      ("mapAsync", { signal, time in signal.mapAsync(executor: time) { $0 } }),
      ("retry", { signal, time in signal.retry(3, after: .constant(.seconds(1)), on: time).suffix(1) }),
      ("concat", { signal, _ in .concat([.empty(), signal, .just(0)]).suffix(1) }),
      ("catch", { signal, _ in Signal.fail(TestFailure()).catch { _ in signal }.suffix(1) }),
      ("two hops", { signal, time in signal.receive(on: time).debounce(for: .milliseconds(3), on: time).first() }),
      ("disposal watched", { $0.handle(onDispose: {}).debounce(for: .milliseconds(3), on: $1) }),
      ("shared", { signal, time in signal.share().debounce(for: .milliseconds(3), on: time) }),
      ("shared hop", { signal, time in signal.receive(on: time).share(replay: 1) }),
    ]

  private struct TestFailure: Error {}

  @Test("ends those below operators that hold values back, too, and nothing more comes", arguments: 0..<17)
  func waitingValues(row: Int) throws {
    let life = LifeCount()
    func subscribe() -> Subscription {
      let token = life.token()
      return Self.operators[row].make(emitter.signal, scheduler).subscribeToEvents { [log] event in
        token.touch()
        log.append(event)
      }
    }
    let subscription = subscribe()
    for value in 1...3 { emitter.send(value) }
    emitter.disposeAllSubscriptions()
    #expect(subscription.isDisposed, "\(Self.operators[row].name)")
    #expect(life.alive == 0)
    try scheduler.advance(by: .seconds(20))
    #expect(log.events.isEmpty, "\(Self.operators[row].name)")
    #expect(scheduler.pendingCount == 0)
  }

  @Test("ends them inside a handler and while values wait")
  func insideHandler() throws {
    let subscription = emitter.signal.receive(on: scheduler).subscribeToEvents { [log, emitter] event in
      log.append(event)
      emitter.disposeAllSubscriptions()
    }
    for value in 1...3 { emitter.send(value) }
    try scheduler.run()
    #expect(log.events == [.value(1)])
    #expect(subscription.isDisposed)
  }

  @Test("leaves an operator to its other inputs, also to those that it has not connected yet")
  func otherInputs() {
    let state = Property(1)
    let merged = state.signal.merge(with: other.signal).subscribeToEvents { [log] event in
      log.append(event)
      if event == .value(1) { state.disposeAllSubscriptions() }
    }
    other.send(2)
    #expect(log.events == [.value(1), .value(2)])
    merged.dispose()
  }

  @Test("leaves flatMap to its inner signals and to the values that wait")
  func innerSignals() {
    let inner = (0..<3).map { _ in Emitter<Int>() }
    let mapped = Signal.sequence(0..<3).flatMap(maxConcurrent: 2) { inner[$0].signal }.log(to: log)
    inner[0].disposeAllSubscriptions()
    inner[1].finish()
    inner[2].send(2)
    #expect(log.events == [.value(2)])
    mapped.dispose()
  }

  @Test("leaves groups to their timeout")
  func groups() throws {
    let bag = DisposeBag()
    emitter.signal.grouped(timeout: .milliseconds(3), on: scheduler) { $0 % 2 }
      .subscribe { [log] group in group.signal.log(to: log).store(in: bag) }.store(in: bag)
    emitter.send(1)
    emitter.disposeAllSubscriptions()
    try scheduler.advance(by: .seconds(1))
    #expect(log.events == [.value(1), .finished])
  }

  @Test("lets a shared signal begin again for the next subscriber", arguments: [false, true])
  func sharing(keepsRunning: Bool) {
    let shared = emitter.signal.share(replay: 1, keepsRunning: keepsRunning)
    let first = shared.subscribe { _ in }
    emitter.send(1)
    emitter.disposeAllSubscriptions()
    #expect(first.isDisposed)
    let second = shared.log(to: log)
    #expect(emitter.subscriberCount == 1)
    emitter.send(2)
    #expect(log.events == [.value(2)])
    second.dispose()
    // Without a subscriber.
    emitter.disposeAllSubscriptions()
    let third = shared.log(to: log)
    emitter.send(3)
    #expect(log.events == [.value(2), .value(3)])
    third.dispose()
  }

  @Test("an actor that is deallocated ends what is below another operator, too", .timeLimit(.minutes(20)))
  func deallocatedActor() async throws {
    actor Place {}
    var place: Place? = Place()
    let onPlace = ActorScheduler(place!)
    let subscription = emitter.signal.receive(on: onPlace).debounce(for: .milliseconds(3), on: scheduler).log(to: log)
    place = nil
    emitter.send(1)
    while !subscription.isDisposed { await Task.yield() }
    #expect(log.events.isEmpty)
    #expect(emitter.subscriberCount == 0)
  }
}
