import OperatorCatalogue
import SignalTesting
import Signals

extension LeakChain {
  /// Every operator in every form, on one source for all its inputs, and chains of them.
  static let all =
    OperatorCatalogue.forms.map { form in
      // Who may end although its source never does has ended at once.
      LeakChain(form.description, endsAtOnce: form.contract.exemptions[.never] != nil, form.contract.build)
    }
    + OperatorCatalogue.all.flatMap(\.chains)
    + [
      LeakChain("nothing") { source, _ in source },
      LeakChain("a long chain") { source, inputs in
        source.debounce(for: .milliseconds(1), on: inputs.scheduler).removeDuplicates()
          .flatMapLatest { .just($0).delay(for: .milliseconds(1), on: inputs.scheduler) }.share(replay: 1).prefix(3)
      },
    ]

  func signal(on source: Signal<Int>, _ scheduler: VirtualTimeScheduler) -> Signal<Int> {
    build(source, OperatorInputs(scheduler: scheduler, rest: .seconds(1), other: source.map { $0 }))
  }
}

/// A proper way to use a subscription and to be done with it.
enum Usage: CaseIterable {
  case disposedAtOnce, disposedAfterValues, disposedInHandler, released, finished, failed, sourceReleased, ownerReleased
  case handlerThatEndsEverything

  struct Failure: Error {}

  func run(_ chain: LeakChain, keeping keeper: LeakKeeper) throws {
    let scheduler = VirtualTimeScheduler()
    var numbers: Emitter<Int>? = Emitter<Int>()
    guard let source = numbers else { return }
    if self != .sourceReleased { keeper.keep(source) }
    let signal = chain.signal(on: source.signal, scheduler)
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
