import Signals
import Testing

/// An operator, used as it should be, over a source of numbers.
struct OperatorCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable (Signal<Int>, VirtualTimeScheduler) -> Signal<Int>

  init(_ name: String, _ make: @escaping @Sendable (Signal<Int>, VirtualTimeScheduler) -> Signal<Int>) {
    testDescription = name
    self.make = make
  }

  static let all: [OperatorCase] = [
    OperatorCase("none") { source, _ in source },
    OperatorCase("map") { source, _ in source.map { $0 + 1 } },
    OperatorCase("compactMap") { source, _ in source.compactMap { $0 > 0 ? $0 : nil } },
    OperatorCase("filter") { source, _ in source.filter { $0 > 0 } },
    OperatorCase("scan") { source, _ in source.scan(0) { $0 + $1 } },
    OperatorCase("scan without initial") { source, _ in source.scan { $0 + $1 } },
    OperatorCase("removeDuplicates") { source, _ in source.removeDuplicates() },
    OperatorCase("dropFirst") { source, _ in source.dropFirst() },
    OperatorCase("prefix") { source, _ in source.map { $0 }.prefix(2) },
    OperatorCase("prefix(0)") { source, _ in source.prefix(0) },
    OperatorCase("prefix(untilOutputFrom:)") { source, _ in source.prefix(untilOutputFrom: source.dropFirst(2)) },
    OperatorCase("prepend") { source, _ in source.prepend(7, 8) },
    OperatorCase("prepend, cut off") { source, _ in source.prepend(7, 8).prefix(1) },
    OperatorCase("merge") { source, _ in source.merge(with: source.map { $0 }, .just(3)) },
    OperatorCase("concat") { source, _ in source.prefix(1).concat(source, .empty()) },
    OperatorCase("combineLatest") { source, _ in source.combineLatest(source.map { $0 }).map { $0 + $1 } },
    OperatorCase("combineLatest, array") { source, _ in combineLatest([source, source.map { $0 }]).map { $0[0] } },
    OperatorCase("merge, nested") { source, _ in source.merge(with: source.map { $0 }).merge(with: .just(3)) },
    OperatorCase("concat, nested") { source, _ in source.prefix(1).concat(source).concat(.empty()) },
    OperatorCase("prepend, nested") { source, _ in source.prepend(8).prepend([7]) },
    OperatorCase("zip") { source, _ in source.zip(source.dropFirst()).map { $0 + $1 } },
    OperatorCase("zip, cut off") { source, _ in source.zip(.sequence(0..<3)).prefix(1).map { $0 + $1 } },
    OperatorCase("withLatest(from:)") { source, _ in source.withLatest(from: .just(1)).map { $0 + $1 } },
    OperatorCase("flatMap") { source, _ in source.flatMap { value in source.map { $0 + value } } },
    OperatorCase("flatMap, one at a time") { source, _ in
      source.flatMap(maxConcurrent: 1) { value in source.prefix(1).map { $0 + value } }
    },
    OperatorCase("flatMapLatest") { source, _ in source.flatMapLatest { value in source.map { $0 + value } } },
    OperatorCase("debounce") { source, scheduler in source.debounce(for: .seconds(1), on: scheduler) },
    OperatorCase("throttle") { source, scheduler in source.throttle(for: .seconds(1), latest: false, on: scheduler) },
    OperatorCase("throttle, latest") { source, scheduler in
      source.throttle(for: .seconds(1), latest: true, on: scheduler)
    },
    OperatorCase("delay") { source, scheduler in source.delay(for: .seconds(1), on: scheduler) },
    OperatorCase("timeout") { source, scheduler in source.timeout(after: .seconds(1), on: scheduler) },
    OperatorCase("timeout, fallback") { source, scheduler in
      source.timeout(after: .seconds(1), on: scheduler, fallback: source)
    },
    OperatorCase("catch") { source, _ in source.catch { _ in source.prepend(1) } },
    OperatorCase("retry") { source, _ in source.retry(2) },
    OperatorCase("share") { source, _ in source.map { $0 }.share() },
    OperatorCase("share(replay:)") { source, _ in source.map { $0 }.share(replay: 2).prefix(2) },
    OperatorCase("handle") { source, _ in source.handle(onSubscribe: {}, onValue: { _ in }) },
    OperatorCase("receive(on:)") { source, scheduler in source.receive(on: scheduler) },
    OperatorCase("receive(on: .immediate)") { source, _ in source.receive(on: .immediate) },
    OperatorCase("named") { source, _ in source.map { $0 }.named("numbers") },
    OperatorCase("just") { source, _ in source.flatMap { .just($0) } },
    OperatorCase("deferred") { source, _ in .deferred { source } },
    OperatorCase("sequence") { _, _ in .sequence(0...).prefix(3) },
    OperatorCase("never") { source, _ in source.merge(with: .never()) },
    OperatorCase("interval") { source, scheduler in
      source.merge(with: .interval(every: .milliseconds(100), on: scheduler))
    },
    OperatorCase("timer") { source, scheduler in
      source.merge(with: Signal.timer(after: .seconds(1), on: scheduler).map { 1 })
    },
    OperatorCase("custom") { source, _ in
      Signal { producer in
        producer.own(source.subscribeToEvents { producer.send(event: $0) })
      }
    },
    OperatorCase("a long chain") { source, scheduler in
      source.debounce(for: .milliseconds(1), on: scheduler).removeDuplicates()
        .flatMapLatest { .just($0).delay(for: .milliseconds(1), on: scheduler) }.share(replay: 1).prefix(3)
    },
  ]
}

/// A proper way to use a subscription and to be done with it.
enum Usage: CaseIterable {
  case disposedAtOnce, disposedAfterValues, disposedInHandler, released, finished, failed, sourceReleased, ownerReleased
  case handlerThatEndsEverything

  struct Failure: Error {}

  func run(_ operatorCase: OperatorCase, keeping keeper: LeakKeeper) throws {
    let scheduler = VirtualTimeScheduler()
    var numbers: Emitter<Int>? = Emitter<Int>()
    guard let source = numbers else { return }
    if self != .sourceReleased { keeper.keep(source) }
    let signal = operatorCase.make(source.signal, scheduler)
    let inner = DisposeBag()
    let owner = self == .ownerReleased ? LeakKeeper() : nil
    var subscription: Subscription?
    switch self {
    case .disposedInHandler: subscription = signal.subscribe { _ in inner.disposeAll() }
    case .handlerThatEndsEverything:
      subscription = signal.subscribe { _ in source.finish() }
    case .ownerReleased:
      if let owner { signal.subscribe(with: owner) { _, _ in }.store(in: inner) }
    default: subscription = signal.subscribe(onFailure: { _ in })
    }
    if let subscription {
      subscription.store(in: inner)
      // Whoever keeps a subscription that is over keeps nothing of its chain.
      if self != .released { keeper.keep(subscription) }
    }
    if self != .disposedAtOnce {
      source.send(1)
      source.send(2)
      try scheduler.advance(by: .milliseconds(500))
      source.send(3)
    }
    switch self {
    case .disposedAtOnce, .disposedAfterValues, .disposedInHandler, .ownerReleased: inner.disposeAll()
    case .released:
      subscription = nil
      inner.disposeAll()
    case .finished, .handlerThatEndsEverything:
      source.finish()
      try scheduler.advance(by: .seconds(5))
      // What is merged with an endless signal has no end of its own.
      inner.disposeAll()
    case .failed:
      source.fail(Failure())
      try scheduler.advance(by: .seconds(5))
    case .sourceReleased:
      numbers = nil
      try scheduler.advance(by: .seconds(5))
      inner.disposeAll()
    }
  }
}
