import Synchronization

extension Signal {
  /// Lets all subscribers share one subscription to this signal: it begins with the first and ends with the last.
  ///
  /// Without `share`, each subscriber runs the chain anew, with the work of its closures and of its source. After the end, and after
  /// the last subscriber has left, the next subscriber begins it anew.
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
  /// See also ``share(replay:keepsRunning:fileID:line:function:)``, which goes on without subscribers,
  /// ``share(replay:for:on:keepsRunning:fileID:line:function:)``, ``multicast(replay:fileID:line:function:)``, which begins when it is told to,
  /// and ``Emitter`` and ``Property``, whose signals are shared already.
  @inlinable
  public func share(
    replay: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    shared(
      Site("share", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function), replay: replay,
      keepsRunning: false)
  }

  /// Lets all subscribers share one subscription to this signal that goes on when the last of them leaves.
  ///
  /// It begins with the first subscriber, and is over when this signal ends. So an answer that takes time is asked for once, whoever comes
  /// and goes, and those who come after the end get the latest values and the end:
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
  /// It needs somebody who keeps the signal that this returns: when nobody does, and the last subscriber has left, nobody can come any more,
  /// and the shared subscription is ended.
  ///
  /// - **Errors:** a failure of this signal goes to all subscribers. The next subscriber begins it anew.
  /// - **Ends:** with this signal. Who comes later gets what is replayed, and the end.
  /// - **Order and threads:** as ``share(replay:fileID:line:function:)``. An endless source that delivers inside subscribe never lets the first
  ///   subscriber's subscribe return, as nothing stops it.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - replay: How many of the latest values a newcomer gets first. A negative number counts as 0.
  ///   - keepsRunning: Whether it goes on when the last subscriber leaves. `false` is ``share(replay:fileID:line:function:)``.
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

  /// Lets all subscribers share one subscription to this signal, and hands a newcomer the latest values as long as they are not too old.
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
  /// Otherwise it is ``share(replay:fileID:line:function:)``, or ``share(replay:keepsRunning:fileID:line:function:)``. A value is kept until
  /// newer ones have taken its place, also when it is too old to be replayed.
  ///
  /// - Parameters:
  ///   - replay: How many of the latest values a newcomer gets first. A negative number counts as 0.
  ///   - duration: From which age on a value is not replayed. None is with zero or less, but for those of the same moment.
  ///   - scheduler: Whose time counts. Nothing is delivered on it.
  ///   - keepsRunning: Whether it goes on when the last subscriber leaves.
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
    // Formed here, where the type of value is known: what is not inlined is not specialised for it.
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
    /// Subscribers of `core` that have not left, and those that are about to be added; 0 when it is over.
    var count = 0
    var upstream: Subscription?
    /// Whether the upstream has finished, and the core stays for those who come later.
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
    // In this order: for one that was disposed before it got here alone, the source is not begun; it may be endless.
    if !isAdded { left(core) }
    if isFirst { connect(core) }
  }

  private func connect(_ core: SharedCore<Value>) {
    let observer = Observer<Value>(
      receive: sending(core),
      // Weak: while there are subscribers, their core keeps this. Without any, the upstream may not.
      end: { [weak self] completion in
        self?.forget(core, completion)
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

  /// Lets the next subscriber begin anew, before this round's subscribers hear of the end; or notes that it is over.
  private func forget(_ core: SharedCore<Value>, _ completion: Completion) {
    release(core) { state in
      if keepsRunning, case .finished = completion {
        state = State(core: core, isOver: true)
      } else {
        state = State()
      }
    }
  }

  /// Notes that a subscriber has left; the last one ends the shared subscription, unless it keeps running.
  func left(_ core: SharedCore<Value>) {
    release(core) { state in
      guard !state.isOver else { return }
      state.count -= 1
      guard state.count == 0 else { return }
      if keepsRunning, state.upstream != nil {
        // Nobody keeps this for the sake of subscribers any more: when nobody keeps the signal either, the upstream is left.
        core.detach()
      } else {
        state = State()
      }
    }
  }

  /// Changes the state, and ends the shared subscription if the state has forgotten it.
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

/// The subscribers of a shared signal; tells when one leaves.
// Safe: the owner is in a mutex.
@usableFromInline
final class SharedCore<Value: Sendable>: EmitterCore<Value>, @unchecked Sendable {
  // Strong: while there are subscribers, their core keeps the owner, and so the upstream. `detach` breaks the circle.
  private let owner: Mutex<Shared<Value>?>

  init(limit: Int, site: Site, owner: Shared<Value>) {
    self.owner = Mutex(owner)
    super.init(newest: nil, limit: limit, site: site)
  }

  @usableFromInline
  override func subscriberLeft() {
    owner.withLock { $0 }?.left(self)
  }

  /// Lets the core keep its owner, for the first of its subscribers.
  func attach(to owner: Shared<Value>) {
    self.owner.withLock { $0 = owner }
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
