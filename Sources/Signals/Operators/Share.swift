import Synchronization

extension Signal {
  /// Lets all subscribers share one subscription to this signal: it begins with the first and ends with the last.
  ///
  /// Without `share`, each subscriber runs the chain anew, with the work of its closures and of its source. After the end, and after
  /// the last subscriber has left, the next subscriber begins it anew.
  ///
  /// ```text
  /// source             -a-b-c-d-|
  ///                    source.share()
  /// first subscribes   ^---!
  /// first              -a-b
  /// second subscribes  --^---!
  /// second             ---b-c
  /// source subscribed  ^-----!
  ///
  ///                    source.share(replay: 1)
  /// first subscribes   ^---!
  /// first              -a-b
  /// second subscribes  --^---!
  /// second             --ab-c
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let ticks = Signal.interval(every: .seconds(1), on: .main)
  ///   .map { seconds in "\(seconds) s" }
  ///   .share(replay: 1)
  /// ticks.subscribe { print("status bar: \($0)") }.store(in: bag)
  /// ticks.subscribe { print("log: \($0)") }.store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal goes to all subscribers. One that a single chain below makes ends that chain only (law 8).
  /// - **Ends:** with this signal.
  /// - **Order and threads:** all subscribers see the same values in the same order (law 2), on the thread that delivers them. What is
  ///   replayed comes inside subscribe. Like any operator that hands values to several subscribers, it ends the reach of a hop above
  ///   it (law 14).
  /// - **Allocations:** none for a value.
  /// - Parameter replay: How many of the latest values a newcomer gets first, while the shared subscription runs. A negative number
  ///   counts as 0.
  /// - Complexity: O(*n*) for a value, in the number of subscribers.
  ///
  /// See also ``Emitter`` and ``Property``, whose signals are shared already.
  public func share(
    replay: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let site = Site("share", fileID: fileID, line: line, function: function)
    let shared = Shared(upstream: self, replay: Swift.max(0, replay), site: site)
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      shared.add(downstream, subscription)
    }
  }
}

private final class Shared<Value: Sendable>: Sendable {
  private struct State {
    var core: SharedCore<Value>?
    /// Subscribers of `core` that have not left, and those that are about to be added.
    var count = 0
    var upstream: Subscription?
  }

  private let upstream: Signal<Value>
  private let replay: Int
  private let site: Site
  private let state = Mutex(State())

  init(upstream: Signal<Value>, replay: Int, site: Site) {
    self.upstream = upstream
    self.replay = replay
    self.site = site
  }

  func add(_ observer: Observer<Value>, _ subscription: Subscription) {
    let (core, isFirst) = state.withLock { state in
      state.count += 1
      if let core = state.core { return (core, false) }
      let core = SharedCore<Value>(limit: replay, site: site, owner: self)
      state.core = core
      return (core, true)
    }
    let isAdded = core.add(observer, subscription)
    // In this order: for one that was disposed before it got here alone, the source is not begun; it may be endless.
    if !isAdded { left(core) }
    if isFirst { connect(core) }
  }

  private func connect(_ core: SharedCore<Value>) {
    let observer = Observer<Value>(
      receive: { value in core.send(value) },
      end: { completion in
        self.forget(core)
        core.complete(completion)
      })
    core.connect(upstream, observer) { subscription in
      state.withLock { state in
        guard state.core === core else { return false }
        state.upstream = subscription
        return true
      }
    }
  }

  /// Lets the next subscriber begin anew, before this round's subscribers hear of the end.
  private func forget(_ core: SharedCore<Value>) {
    release(core) { _ in true }
  }

  /// Notes that a subscriber has left; the last one ends the shared subscription.
  func left(_ core: SharedCore<Value>) {
    release(core) { state in
      state.count -= 1
      return state.count == 0
    }
  }

  private func release(_ core: SharedCore<Value>, if isOver: (inout State) -> Bool) {
    let (isReleased, upstream): (Bool, Subscription?) = state.withLock { state in
      guard state.core === core, isOver(&state) else { return (false, nil) }
      defer { state = State() }
      return (true, state.upstream)
    }
    guard isReleased else { return }
    core.detach()
    upstream?.dispose()
  }
}

/// The subscribers of a shared signal; tells when one leaves.
private final class SharedCore<Value: Sendable>: EmitterCore<Value>, @unchecked Sendable {
  // Safe: the owner is in a mutex.
  // Strong: while there are subscribers, their core keeps the owner, and so the upstream. `detach` breaks the circle.
  private let owner: Mutex<Shared<Value>?>

  init(limit: Int, site: Site, owner: Shared<Value>) {
    self.owner = Mutex(owner)
    super.init(newest: nil, limit: limit, site: site)
  }

  override func subscriberLeft() {
    owner.withLock { $0 }?.left(self)
  }

  /// Lets go of the owner: a subscription that somebody keeps after its end does not keep the chain above.
  func detach() {
    let owner = owner.withLock { stored in
      defer { stored = nil }
      return stored
    }
    withExtendedLifetime(owner) {}
  }
}
