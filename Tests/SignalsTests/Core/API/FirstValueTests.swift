import Dispatch
import Foundation
import Probes
import SignalTesting
import Signals
import Testing

/// Waiting for one value.
@Suite("firstValue")
struct FirstValueTests {
  @Test("the first value from now on; that of a property at once")
  func value() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<Int>()
    _ = scheduler.task {
      log.append(try await Property(7).signal.firstValue())
      log.append(try await numbers.signal.firstValue())
    }
    numbers.send(1)
    try scheduler.advance()
    numbers.send(2)
    #expect(numbers.subscriberCount == 0)
    try scheduler.advance()
    #expect(log.entries == [7, 2])
  }

  @Test("the failure, and the end without a value, are thrown")
  func ends() async {
    await #expect(throws: Failure(number: 1)) { try await Signal<Int>.fail(Failure(number: 1)).firstValue() }
    await #expect(throws: NoValueError()) { try await Signal<Int>.empty().firstValue() }
    #expect("\(NoValueError())" == "the signal ended without a value")
  }

  @Test("an endless source that delivers inside subscribe is left")
  func endless() async throws {
    #expect(try await Signal.sequence(1...).firstValue() == 1)
  }

  @Test("the time is up: told apart from the end without a value")
  func timeout() throws {
    let scheduler = VirtualTimeScheduler()
    let log = Journal<String>()
    let numbers = Emitter<Int>()
    func wait(_ name: String, for signal: Signal<Int>) {
      _ = scheduler.task {
        do {
          let value = try await signal.firstValue(timeout: .seconds(1), on: scheduler)
          log.append("\(name): \(value)")
        } catch is TimeoutError {
          log.append("\(name): too late at \(scheduler.now.sinceOrigin)")
        } catch is NoValueError {
          log.append("\(name): no value")
        }
      }
    }
    wait("never", for: numbers.signal)
    wait("empty", for: .empty())
    wait("value", for: Signal.timer(after: .milliseconds(999), on: scheduler).map { 5 })
    try scheduler.run()
    #expect(log.entries == ["empty: no value", "value: 5", "never: too late at 1.0 seconds"])
    #expect(numbers.subscriberCount == 0)
    #expect(scheduler.pendingCount == 0)
  }

  @Test("cancelling the task disposes the subscription and throws")
  func cancelling() throws {
    let scheduler = VirtualTimeScheduler()
    let numbers = Emitter<Int>()
    let log = Journal<String>()
    let task = scheduler.task {
      do {
        log.append("\(try await numbers.signal.firstValue(timeout: .seconds(1), on: scheduler))")
      } catch is CancellationError { log.append("cancelled") }
    }
    try scheduler.advance()
    #expect(numbers.subscriberCount == 1)
    task.cancel()
    #expect(numbers.subscriberCount == 0)
    try scheduler.advance()
    #expect(log.entries == ["cancelled"])
    let late = scheduler.task {
      withUnsafeCurrentTask { $0?.cancel() }
      do { _ = try await Property(1).signal.firstValue() } catch is CancellationError { log.append("cancelled before") }
    }
    try scheduler.run()
    withExtendedLifetime(late) {}
    #expect(log.entries == ["cancelled", "cancelled before"])
  }

  @Test("on the main actor it stays there")
  @MainActor func isolation() async throws {
    let value = try await Property(1).signal.firstValue()
    MainActor.assertIsolated()
    #expect(value == 1)
  }

  @Test("a source that ends its subscriptions without an event ends the wait")
  func silentEnd() throws {
    let numbers = Emitter<Int>()
    let state = Property(1)
    for signal in [
      numbers.signal, numbers.signal.map { $0 }, numbers.signal.prefix(3).named("few"),
      Signal.merge(numbers.signal, numbers.signal.prefix(2)).removeDuplicates().prefix(9),
      numbers.signal.combineLatest(state.signal).map { $0 + $1 }.debounce(for: .zero, on: .main).prefix(2),
      numbers.signal.flatMap { .just($0) }, numbers.signal.window(2).flatMap { $0 },
      numbers.signal.receive(on: .main),
    ] {
      let result = try wait(for: signal) {
        numbers.disposeAllSubscriptions()
        state.disposeAllSubscriptions()
      }
      #expect(result.first == ["no value"])
      #expect(result.all == ["end"])
      #expect(numbers.subscriberCount == 0)
    }
  }

  @Test("an operator's other inputs are waited for: their values, and the end of the last")
  func silentEndOfOne() throws {
    let (numbers, others) = (Emitter<Int>(), Emitter<Int>())
    let signal = Signal.merge(numbers.signal, others.signal).prefix(1)
    let value = try wait(for: signal) {
      numbers.disposeAllSubscriptions()
      others.send(5)
    }
    #expect(value.first == ["5"])
    #expect(value.all == ["5", "end"])
    let end = try wait(for: signal) {
      numbers.disposeAllSubscriptions()
      others.finish()
    }
    #expect(end.first == ["no value"])
    #expect(end.all == ["end"])
  }

  @Test("operators in which nothing waits do not prolong a wait")
  func silentEndAboveOthers() throws {
    final class Owner: Sendable {}
    let (scheduler, owner) = (VirtualTimeScheduler(), Owner())
    for pass in [
      { $0.timeout(after: .seconds(1), on: scheduler) }, { $0.handle(onDispose: {}) },
      { $0.prefix(duringLifetimeOf: owner) }, { $0.retry(2, after: .constant(.seconds(1)), on: scheduler) },
    ] as [(Signal<Int>) -> Signal<Int>] {
      let (numbers, others) = (Emitter<Int>(), Emitter<Int>())
      let result = try wait(for: pass(.merge(numbers.signal, others.signal))) {
        numbers.disposeAllSubscriptions()
        others.finish()
      }
      #expect(result.first == ["no value"])
      #expect(result.all == ["end"])
    }
  }

  @Test("values that still wait below an operator when its last input ends are delivered")
  func silentEndBeforeWaitingValue() throws {
    for hold in [
      { $0.receive(on: $1) }, { $0.debounce(for: .seconds(1), on: $1) }, { $0.delay(for: .seconds(1), on: $1) },
      { $0.delayValues(for: .seconds(1), on: $1) },
      { signal, scheduler in signal.mapAsync(executor: scheduler as? VirtualTimeScheduler) { $0 } },
    ] as [(Signal<Int>, any Scheduler) -> Signal<Int>] {
      let (numbers, others, scheduler) = (Emitter<Int>(), Emitter<Int>(), VirtualTimeScheduler())
      let result = try wait(for: hold(.merge(numbers.signal, others.signal), scheduler)) {
        numbers.disposeAllSubscriptions()
        others.send(5)
        others.finish()
        #expect(throws: Never.self) { try scheduler.advance(by: .seconds(1)) }
      }
      #expect(result.first == ["5"])
      #expect(result.all.first == "5")
    }
  }

  @Test("a source that ends its subscriptions in the middle of an operator's last values ends the wait")
  func silentEndAmongLastValues() throws {
    for make in [
      { last, _ in last },
      { last, others in Signal.merge(last, others.signal.prefix(0)) },
      { last, _ in last.flatMap { .just($0) } },
    ] as [(Signal<Int>, Emitter<Int>) -> Signal<Int>] {
      let (numbers, others) = (Emitter<Int>(), Emitter<Int>())
      let last = numbers.signal.suffix(3).filter { value in
        if value == 1 { numbers.disposeAllSubscriptions() }
        return value > 1
      }
      let result = try wait(for: make(last, others)) {
        for value in 1...3 { numbers.send(value) }
        numbers.finish()
      }
      #expect(result.first == ["no value"])
      #expect(result.all == ["end"])
    }
  }

  /// What two waits say, once something has happened to what they wait for.
  private func wait(for signal: Signal<Int>, meanwhile: () -> Void) throws -> (first: [String], all: [String]) {
    let scheduler = VirtualTimeScheduler()
    let (first, all) = (Journal<String>(), Journal<String>())
    let tasks = [
      scheduler.task {
        do {
          first.append("\(try await signal.firstValue())")
        } catch is NoValueError { first.append("no value") } catch is CancellationError {}
      },
      scheduler.task {
        for try await value in signal.values() { all.append("\(value)") }
        if !Task.isCancelled { all.append("end") }
      },
    ]
    try scheduler.advance()
    meanwhile()
    try scheduler.advance()
    // So that a wait that has not ended does.
    for task in tasks { task.cancel() }
    try scheduler.advance()
    return (first.entries, all.entries)
  }

  @Test("the blocking form ends with a source that ends its subscriptions without an event", .timeLimit(.minutes(20)))
  func blockingSilentEnd() throws {
    func check() {
      let silent = Emitter<Int>()
      Thread.detachNewThread {
        spin { silent.subscriberCount < 2 }
        silent.disposeAllSubscriptions()
      }
      #expect(throws: NoValueError()) {
        try Signal.merge(silent.signal, silent.signal).waitForFirstValue(timeout: .seconds(3_600))
      }
    }
    check()
  }

  @Test("the blocking form: a value, a failure, the end, and the time that is up")
  func blocking() throws {
    func check() throws {
      #expect(try Signal.just(1).waitForFirstValue() == 1)
      #expect(throws: Failure(number: 1)) { try Signal<Int>.fail(Failure(number: 1)).waitForFirstValue() }
      #expect(throws: NoValueError()) { try Signal<Int>.empty().waitForFirstValue() }
      let silent = Emitter<Int>()
      #expect(throws: TimeoutError(interval: .zero)) { try silent.signal.waitForFirstValue(timeout: .zero) }
      #expect(throws: TimeoutError(interval: .seconds(-1))) {
        try silent.signal.waitForFirstValue(timeout: .seconds(-1))
      }
      #expect(silent.subscriberCount == 0)
    }
    try check()
  }

  @Test("the blocking form waits for another thread", .timeLimit(.minutes(20)))
  func blockingAcrossThreads() throws {
    let numbers = Emitter<Int>()
    let begun = DispatchSemaphore(value: 0)
    let once = numbers.signal.handle(onSubscribe: { begun.signal() })
    Thread.detachNewThread {
      begun.wait()
      // The subscription is there once it is counted.
      spin { numbers.subscriberCount == 0 }
      numbers.send(3)
    }
    #expect(try once.waitForFirstValue(timeout: .seconds(3_600)) == 3)
  }
}
