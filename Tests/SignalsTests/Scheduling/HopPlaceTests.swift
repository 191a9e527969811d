import Dispatch
import Probes
import Signals
import Testing

/// An operator that hops.
struct HopCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether each value comes, also when many come at once.
  var isLossless = true
  let apply: @Sendable (Signal<Int>, any Scheduler) -> Signal<Int>

  var testDescription: String { name }

  static let all = [
    HopCase(name: "receive(on:)") { $0.receive(on: $1) },
    HopCase(name: "delay") { $0.delay(for: .zero, on: $1) },
    HopCase(name: "debounce", isLossless: false) { $0.debounce(for: .zero, on: $1) },
    HopCase(name: "throttle, latest", isLossless: false) { $0.throttle(for: .zero, on: $1, latest: true) },
    HopCase(name: "throttle", isLossless: false) { $0.throttle(for: .zero, on: $1, latest: false) },
  ]
}

@Suite("Law 14: where hops deliver", .timeLimit(.minutes(20)))
struct HopPlaceTests {
  private let known = KnownQueue()

  @Test("the sender is still inside when the scheduler runs the work", arguments: HopCase.all, [true, false])
  func senderInside(hop: HopCase, fails: Bool) {
    let emitter = Emitter<Int>()
    let places = PlaceLog<Int>(known)
    let subscription = hop.apply(emitter.signal, WaitingScheduler(known: known)).subscribeToEvents { places.take($0) }
    emitter.send(1)
    emitter.send(2)
    emitter.send(event: fails ? .failed(Failure()) : .finished)
    #expect(places.waitForEnd())
    #expect(places.astrayCount == 0)
    #expect(places.log.events == [.value(1), .value(2), fails ? .failed(Failure()) : .finished])
    #expect(subscription.isDisposed)
  }

  @Test("timer and interval: the subscriber is still inside when the scheduler runs the work")
  func subscriberInside() {
    let scheduler = WaitingScheduler(known: known)
    let timer = PlaceLog<Void>(known)
    let interval = PlaceLog<Int>(known)
    let subscriptions = [
      Signal.timer(after: .zero, on: scheduler).subscribeToEvents { timer.take($0) },
      Signal.interval(every: .nanoseconds(1), on: scheduler).prefix(100).subscribeToEvents { interval.take($0) },
    ]
    #expect(timer.waitForEnd())
    #expect(interval.waitForEnd())
    #expect(timer.astrayCount == 0)
    #expect(interval.astrayCount == 0)
    #expect(interval.log.values == Array(0..<100))
    withExtendedLifetime(subscriptions) {}
  }

  @Test("a burst", arguments: HopCase.all, [true, false])
  func burst(hop: HopCase, fails: Bool) {
    let emitter = Emitter<Int>()
    let places = PlaceLog<Int>(known)
    let subscription = hop.apply(emitter.signal, .queue(known.queue)).subscribeToEvents { places.take($0) }
    for value in 0..<20_000 { emitter.send(value) }
    emitter.send(event: fails ? .failed(Failure()) : .finished)
    #expect(places.waitForEnd())
    #expect(places.astrayCount == 0)
    #expect(places.check.overlaps == 0)
    let values = places.log.values
    if hop.isLossless, !(fails && hop.name == "delay") {
      #expect(values == Array(0..<20_000))
    } else {
      #expect(values == values.sorted())
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("one value after the other, each after the one before was delivered", arguments: HopCase.all)
  func oneByOne(hop: HopCase) {
    let emitter = Emitter<Int>()
    let places = PlaceLog<Int>(known)
    let delivered = DispatchSemaphore(value: 0)
    let subscription = hop.apply(emitter.signal, .queue(known.queue)).subscribeToEvents { event in
      places.take(event)
      delivered.signal()
    }
    for value in 0..<2_000 {
      emitter.send(value)
      // Where values may be dropped, there is none to wait for.
      if hop.name != "throttle" { #expect(delivered.wait(timeout: .now() + 60) == .success) }
    }
    emitter.finish()
    #expect(places.waitForEnd())
    #expect(places.astrayCount == 0)
    if hop.name != "throttle" { #expect(places.log.values == Array(0..<2_000)) }
    withExtendedLifetime(subscription) {}
  }

  @Test("several senders: each one's values in order, one at a time", arguments: HopCase.all)
  func severalSenders(hop: HopCase) {
    let emitter = Emitter<Int>()
    let places = PlaceLog<Int>(known)
    let subscription = hop.apply(emitter.signal, .queue(known.queue)).subscribeToEvents { places.take($0) }
    onThreads(4) { thread in
      for index in 0..<20_000 { emitter.send(thread * 20_000 + index) }
    }
    emitter.finish()
    #expect(places.waitForEnd())
    #expect(places.astrayCount == 0)
    #expect(places.check.overlaps == 0)
    for thread in 0..<4 {
      let own = places.log.values.filter { $0 / 20_000 == thread }
      if hop.isLossless { #expect(own.count == 20_000) }
      #expect(own == own.sorted())
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("a failure and an end of a source that ends at once", arguments: HopCase.all, [true, false])
  func endsAtOnce(hop: HopCase, fails: Bool) {
    for _ in 0..<200 {
      let places = PlaceLog<Int>(known)
      let source: Signal<Int> = fails ? .fail(Failure()) : .empty()
      let subscription = hop.apply(source, .queue(known.queue)).subscribeToEvents { places.take($0) }
      #expect(places.waitForEnd())
      #expect(places.astrayCount == 0)
      #expect(subscription.isDisposed)
    }
  }

  @Test("timer and interval on a queue")
  func sources() {
    for _ in 0..<200 {
      let timer = PlaceLog<Void>(known)
      let interval = PlaceLog<Int>(known)
      let queue = DispatchQueueScheduler(known.queue)
      let subscriptions = [
        Signal.timer(after: .zero, on: queue).subscribeToEvents { timer.take($0) },
        Signal.interval(every: .nanoseconds(1), on: queue).prefix(20).subscribeToEvents { interval.take($0) },
      ]
      #expect(timer.waitForEnd())
      #expect(interval.waitForEnd())
      #expect(timer.astrayCount == 0)
      #expect(interval.astrayCount == 0)
      #expect(interval.log.values == Array(0..<20))
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("a scheduler that keeps no order and runs several things at once", arguments: HopCase.all)
  func scattered(hop: HopCase) {
    let emitter = Emitter<Int>()
    let places = PlaceLog<Int>(known)
    let subscription = hop.apply(emitter.signal, ScatteringScheduler()).subscribeToEvents { places.take($0) }
    for value in 0..<20_000 { emitter.send(value) }
    emitter.finish()
    #expect(places.waitForEnd())
    #expect(places.check.overlaps == 0)
    #expect(places.check.eventsAfterEnd == 0)
    let values = places.log.values
    if hop.isLossless { #expect(values.count == 20_000) }
    #expect(values == values.sorted())
    withExtendedLifetime(subscription) {}
  }
}
