import SignalTesting
import Signals
import Synchronization

/// Programs with one leak of each sort, for the tests of every entry point.
enum LeakSample: CaseIterable {
  case neverDisposed, stillRetained, upstreamStillSubscribed, workStillPending

  var kind: Leak.Kind {
    switch self {
    case .neverDisposed: .neverDisposed
    case .stillRetained: .stillRetained
    case .upstreamStillSubscribed: .upstreamStillSubscribed
    case .workStillPending: .workStillPending
    }
  }

  /// Runs the program; what leaks is kept in `bag`, which is made outside the scope.
  func run(keeping bag: LeakKeeper) {
    switch self {
    case .neverDisposed:
      let keys = Emitter<Int>()
      keys.signal.map { $0 * 2 }.named("doubled").subscribe { _ in }.store(in: bag.bag)
      bag.keep(keys)
    case .stillRetained:
      let keys = Emitter<Int>()
      let subscription = keys.signal.observerKept(in: bag).filter { $0 > 0 }.subscribe { _ in }
      subscription.dispose()
      bag.keep(keys)
    case .upstreamStillSubscribed:
      let keys = Emitter<Int>()
      keys.signal.map { $0 + 1 }.firstWithoutStopping().subscribe { _ in }.store(in: bag.bag)
      keys.send(1)
      bag.keep(keys)
    case .workStillPending:
      let scheduler = VirtualTimeScheduler()
      bag.keep(scheduler.schedule(after: .seconds(1)) {})
      bag.keep(scheduler)
    }
  }
}

/// Keeps what leaks.
final class LeakKeeper: Sendable {
  let bag = DisposeBag()
  private let objects = Mutex<[any Sendable]>([])

  func keep(_ object: any Sendable) { objects.withLock { $0.append(object) } }

  deinit { bag.disposeAll() }
}

extension Signal {
  /// A faulty operator: somebody else keeps its observer.
  func observerKept(
    in keeper: LeakKeeper,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("observerKept", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      keeper.keep(receive)
      return Observer(for: downstream) { value in try receive(value) }
    }
  }

  /// A faulty operator: it ends what is below it, and lets what is above it go on.
  func firstWithoutStopping(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(Site("firstWithoutStopping", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let end = downstream.end
      let isOver = Atomic(false)
      return Observer(for: downstream) { value in
        if isOver.exchange(true, ordering: .relaxed) { return }
        try receive(value)
        end(.finished)
      } end: { _ in
      }
    }
  }
}
