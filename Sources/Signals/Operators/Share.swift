import Synchronization

extension Signal {
  /// Shares one subscription to this signal among all subscribers: it begins with the first and ends with the last.
  ///
  /// Without `share`, each subscriber runs its own chain, with the work of its closures and of its source. After the
  /// end, and after the last subscriber has left, the next subscriber starts it again.
  ///
  /// ![share, as a marble diagram](share-replay)
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
  /// - **Errors:** a failure of this signal goes to all subscribers. A failure of one chain below ends that chain only
  ///   (law 8).
  /// - **Ends:** with this signal.
  /// - **Order and threads:** all subscribers see the same values in the same order (law 2), on the thread that
  ///   delivers them. Values are replayed inside subscribe. As with any operator with several subscribers, a hop above
  ///   it does not apply to the operators below it (law 14).
  /// - **Allocations:** none for a value.
  /// - Parameter replay: The number of latest values that a new subscriber gets first, while the shared subscription
  ///   runs. A negative number counts as 0.
  /// - Complexity: O(*n*) for a value, in the number of subscribers.
  ///
  /// See also ``share(replay:keepsRunning:fileID:line:function:)``, which continues without subscribers,
  /// ``share(replay:for:on:keepsRunning:fileID:line:function:)``, ``multicast(replay:fileID:line:function:)``, which
  /// starts on `connect()`, and ``Emitter`` and ``Property``, whose signals are shared already.
  @inlinable
  public func share(
    replay: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    shared(
      Site("share", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function), replay: replay,
      keepsRunning: false)
  }

  /// Shares one subscription to this signal, which continues when the last subscriber leaves.
  ///
  /// It begins with the first subscriber, and ends with this signal. So a slow response is requested once, however
  /// subscribers come and go, and a subscriber after the end gets the latest values and the end:
  ///
  /// ![share, as a marble diagram](share-replay-keepsRunning)
  ///
  /// ```text
  /// source             -a-b-c-d-|
  ///                    source.share(replay: 1, keepsRunning: true)
  /// first subscribes   ^-!
  /// first              -a
  /// second subscribes  ------^
  /// second             ------cd-|
  /// third subscribes   ------------^
  /// third              ------------(d|)
  /// source subscribed  ^--------!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let settings = Signal.timer(after: .seconds(1), on: .main)
  ///   .map { "the settings" }
  ///   .share(replay: 1, keepsRunning: true)
  /// settings.subscribe { print("window: \($0)") }.store(in: bag)
  /// settings.subscribe { print("menu: \($0)") }.store(in: bag)
  /// ```
  ///
  /// The returned signal must be retained. When it is released and the last subscriber has left, no new subscriber is
  /// possible, and the shared subscription is ended.
  ///
  /// - **Errors:** a failure of this signal goes to all subscribers. The next subscriber starts it again.
  /// - **Ends:** with this signal. A later subscriber gets the replayed values and the end.
  /// - **Order and threads:** as ``share(replay:fileID:line:function:)``. With an endless source that delivers inside
  ///   subscribe, the first subscriber's subscribe never returns, as nothing stops the source.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - replay: The number of latest values that a new subscriber gets first. A negative number counts as 0.
  ///   - keepsRunning: Whether it continues when the last subscriber leaves. `false` is
  ///     ``share(replay:fileID:line:function:)``.
  /// - Complexity: O(*n*) for a value, in the number of subscribers.
  @inlinable
  public func share(
    replay: Int = 0, keepsRunning: Bool,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    shared(
      Site("share", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function), replay: replay,
      keepsRunning: keepsRunning)
  }

  /// Shares one subscription to this signal, and replays the latest values to a new subscriber, up to an age.
  ///
  /// ![share, as a marble diagram](share-replay-for-on-keepsRunning)
  ///
  /// ```text
  /// source             -a-b----c-|
  ///                    source.share(replay: 2, for: .milliseconds(4), on: clock)
  /// first subscribes   ^
  /// first              -a-b----c-|
  /// second subscribes  ----^
  /// second             ----(ab)---c-|
  /// third subscribes   ------^
  /// third              ------b-c-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let prices = Emitter<Double>()
  /// let recent = prices.signal.share(replay: 1, for: .seconds(10), on: .main, keepsRunning: true)
  /// recent.subscribe { print($0) }.store(in: bag)
  /// ```
  ///
  /// For the rest, see ``share(replay:fileID:line:function:)``, or
  /// ``share(replay:keepsRunning:fileID:line:function:)``. A value is retained until newer ones replace it, even when
  /// it is too old to be replayed.
  ///
  /// - Parameters:
  ///   - replay: The number of latest values that a new subscriber gets first. A negative number counts as 0.
  ///   - duration: The age from which a value is not replayed. With zero or less only values of the same instant are.
  ///   - scheduler: Provides the time. Nothing is delivered on it.
  ///   - keepsRunning: Whether it continues when the last subscriber leaves.
  @inlinable
  public func share(
    replay: Int, for duration: Duration, on scheduler: any Scheduler, keepsRunning: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let site = Site("share", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function)
    return aging(on: scheduler).shared(site, replay: replay, keepsRunning: keepsRunning)
      .fresh(for: duration, on: scheduler)
  }

  @inlinable
  func shared(_ site: Site, replay: Int, keepsRunning: Bool) -> Signal<Value> {
    // Created here, where the type of value is known: code that is not inlined is not specialised for it.
    let shared = Shared(upstream: self, replay: Swift.max(0, replay), keepsRunning: keepsRunning, site: site) { core in
      { value in core.send(value) }
    }
    return Signal(.hidden, derivedFrom: self) { downstream, subscription in
      shared.add(downstream, subscription)
    }
  }
}

@usableFromInline
final class Shared<Value: Sendable>: Sendable {
  private struct State {
    var core: SharedCore<Value>?
    /// The number of subscribers of `core` that have not left, or are about to be added; 0 after the end.
    var count = 0
    var upstream: Subscription?
    /// Whether upstream has finished, and the core stays for later subscribers.
    var isOver = false
  }

  private let upstream: Signal<Value>
  private let replay: Int
  private let keepsRunning: Bool
  private let site: Site
  private let sending: @Sendable (SharedCore<Value>) -> @Sendable (Value) throws -> Void
  private let state = Mutex(State())

  @usableFromInline
  init(
    upstream: Signal<Value>, replay: Int, keepsRunning: Bool, site: Site,
    sending: @escaping @Sendable (SharedCore<Value>) -> @Sendable (Value) throws -> Void
  ) {
    self.upstream = upstream
    self.replay = replay
    self.keepsRunning = keepsRunning
    self.site = site
    self.sending = sending
  }

  @usableFromInline
  func add(_ observer: Observer<Value>, _ subscription: Subscription) {
    let (core, isFirst) = state.withLock { state in
      if state.isOver, let core = state.core { return (core, false) }
      state.count += 1
      if let core = state.core {
        if state.count == 1 { core.attach(to: self) }
        return (core, false)
      }
      let core = SharedCore<Value>(limit: replay, site: site, owner: self)
      state.core = core
      return (core, true)
    }
    let isAdded = core.add(observer, subscription)
    // In this order: if the only subscriber was disposed in the meantime, the source is not started. It may be endless.
    if !isAdded { left(core) }
    core.endIfSilenced()
    if isFirst { connect(core) }
  }

  private func connect(_ core: SharedCore<Value>) {
    let observer = Observer<Value>(
      receive: sending(core),
      // Weak: while there are subscribers, their core retains this. Without any, upstream must not.
      end: { [weak self] completion in
        self?.forget(core, completion)
        core.complete(completion)
      })
    core.connect(upstream, observer, notifiesOfSilence: true) { subscription in
      state.withLock { state in
        guard state.core === core else { return false }
        state.upstream = subscription
        return true
      }
    }
  }

  /// Lets the next subscriber start again, before this round's subscribers get the end; or notes that it is over.
  private func forget(_ core: SharedCore<Value>, _ completion: Completion) {
    release(core) { state in
      if keepsRunning, case .finished = completion {
        state = State(core: core, isOver: true)
      } else {
        state = State()
      }
    }
  }

  /// Lets the next subscriber start again: upstream was ended without an event.
  func forgetSilenced(_ core: SharedCore<Value>) {
    release(core) { $0 = State() }
  }

  /// Notes that a subscriber has left; the last one ends the shared subscription, unless it keeps running.
  func left(_ core: SharedCore<Value>) {
    release(core) { state in
      guard !state.isOver else { return }
      state.count -= 1
      guard state.count == 0 else { return }
      if keepsRunning, state.upstream != nil {
        // Subscribers no longer retain this: when the signal is released too, upstream is unsubscribed.
        core.detach()
      } else {
        state = State()
      }
    }
  }

  /// Changes the state, and ends the shared subscription if the state no longer references it.
  private func release(_ core: SharedCore<Value>, _ change: (inout State) -> Void) {
    let (isReleased, upstream): (Bool, Subscription?) = state.withLock { state in
      guard state.core === core, !state.isOver else { return (false, nil) }
      let upstream = state.upstream
      change(&state)
      let isReleased = state.core == nil || state.isOver
      return (isReleased, isReleased ? upstream : nil)
    }
    guard isReleased else { return }
    core.detach()
    upstream?.dispose()
  }
}

/// The subscribers of a shared signal; notifies the owner when one leaves.
// Safe: the owner is in a mutex.
@usableFromInline
final class SharedCore<Value: Sendable>: EmitterCore<Value>, @unchecked Sendable {
  private struct Owner {
    // Strong: while there are subscribers, their core retains the owner, and so the upstream. `detach` breaks the cycle.
    var retained: Shared<Value>?
    weak var known: Shared<Value>?
  }

  private let owner: Mutex<Owner>
  private let isSilenced = Atomic<Bool>(false)

  init(limit: Int, site: Site, owner: Shared<Value>) {
    self.owner = Mutex(Owner(retained: owner, known: owner))
    super.init(newest: nil, limit: limit, site: site)
  }

  @usableFromInline
  override func subscriberLeft() {
    owner.withLock { $0.retained }?.left(self)
  }

  /// Ends the subscriptions without an event, like the one to upstream.
  override func inputWasSilenced(_ key: Int) {
    owner.withLock { $0.known }?.forgetSilenced(self)
    isSilenced.store(true, ordering: .sequentiallyConsistent)
    disposeAll()
  }

  /// Ends the subscription of a subscriber that was added, unless that one came before ``inputWasSilenced(_:)`` ended all.
  func endIfSilenced() {
    if isSilenced.load(ordering: .sequentiallyConsistent) { disposeAll() }
  }

  /// Lets the core retain its owner, for the first of its subscribers.
  func attach(to owner: Shared<Value>) {
    self.owner.withLock { $0.retained = owner }
  }

  /// Releases the owner: a subscription that is retained after its end does not retain the chain above.
  func detach() {
    let owner = owner.withLock { stored in
      defer { stored.retained = nil }
      return stored.retained
    }
    withExtendedLifetime(owner) {}
  }
}
