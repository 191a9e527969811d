public import Synchronization

extension Signal {
  /// Shares one subscription to this signal, which starts on `connect()`, among any number of subscribers.
  ///
  /// ![multicast, as a marble diagram](multicast-replay)
  ///
  /// ```text
  /// source             -a-b-c-|
  ///                    source.multicast().autoconnect(after: 2)
  /// first subscribes   ^
  /// first              ---a-b-c-|
  /// second subscribes  --^
  /// second             ---a-b-c-|
  /// third subscribes   ------^
  /// third              -------c-|
  /// source subscribed  --^------!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let numbers = Signal.sequence(1...3).map { $0 * $0 }.multicast()
  /// numbers.signal.subscribe { print("screen: \($0)") }.store(in: bag)
  /// numbers.signal.subscribe { print("log: \($0)") }.store(in: bag)
  /// numbers.connect().store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal goes to all subscribers.
  /// - **Ends:** with this signal; after that it cannot be connected again. Disposing the connection ends nothing.
  /// - **Order and threads:** all subscribers see the same values in the same order (law 2), on the thread that
  ///   delivers them. Values are replayed inside subscribe. As with any operator with several subscribers, a hop above
  ///   it does not apply to the operators below it (law 14).
  /// - **Allocations:** none for a value.
  /// - Parameter replay: The number of latest values that a new subscriber gets first, those of earlier connections
  ///   included. A negative number counts as 0.
  /// - Complexity: O(*n*) for a value, in the number of subscribers.
  ///
  /// See also ``ConnectableSignal``, ``multicast(replay:for:on:fileID:line:function:)`` and
  /// ``share(replay:fileID:line:function:)``, which starts with the first subscriber.
  @inlinable
  public func multicast(
    replay: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> ConnectableSignal<Value> {
    let site = Site(
      "multicast", behavior: [.passesOn, .atMostOne, .waitsForConnection], fileID: fileID, line: line,
      function: function)
    let hub = hub(site, replay: replay)
    return ConnectableSignal(signal: Signal(emitter: hub.core), connector: hub)
  }

  /// Shares one subscription, and replays the latest values to a new subscriber, up to an age; see
  /// ``multicast(replay:fileID:line:function:)``.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let news = Emitter<String>()
  /// let recent = news.signal.multicast(replay: 10, for: .seconds(60), on: .main)
  /// recent.connect().store(in: bag)
  /// news.send("It rains.")
  /// recent.signal.subscribe { print("in the last minute: \($0)") }.store(in: bag)
  /// ```
  ///
  /// A value is retained until newer ones replace it, even when it is too old to be replayed.
  ///
  /// - Parameters:
  ///   - replay: The number of latest values that a new subscriber gets first. A negative number counts as 0.
  ///   - duration: The age from which a value is not replayed. With zero or less only values of the same instant are.
  ///   - scheduler: Provides the time. Nothing is delivered on it.
  @inlinable
  public func multicast(
    replay: Int, for duration: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> ConnectableSignal<Value> {
    let site = Site(
      "multicast", behavior: [.passesOn, .atMostOne, .waitsForConnection], fileID: fileID, line: line,
      function: function)
    let hub = aging(on: scheduler).hub(site, replay: replay)
    let signal = Signal<AgingValue<Value>>(emitter: hub.core)
    return ConnectableSignal(signal: signal.fresh(for: duration, on: scheduler), connector: hub)
  }

  @inlinable
  func hub(_ site: Site, replay: Int) -> ConnectableHub<Value> {
    // Created here, where the type of value is known: code that is not inlined is not specialised for it.
    ConnectableHub(upstream: self, limit: Swift.max(0, replay), site: site) { core, run in
      { value in if core.isCurrent(run) { core.send(value) } }
    }
  }
}

/// Connects a source with the subscribers of a connectable signal.
@usableFromInline
final class ConnectableHub<Value: Sendable>: Connector {
  private struct Connections {
    /// The signal to connect; nil once it has ended.
    var upstream: Signal<Value>?
    weak var latest: Subscription?
    /// The latest connection, while the subscribers retain it. It retains this, until the last of them leaves or it
    /// ends.
    var kept: Subscription?
  }

  @usableFromInline let core: ConnectableCore<Value>
  private let sending: @Sendable (ConnectableCore<Value>, _ run: Int) -> @Sendable (Value) throws -> Void
  private let connections: Mutex<Connections>
  private let lastRun = Atomic<Int>(0)

  @usableFromInline
  init(
    upstream: Signal<Value>, limit: Int, site: Site,
    sending: @escaping @Sendable (ConnectableCore<Value>, _ run: Int) -> @Sendable (Value) throws -> Void
  ) {
    self.sending = sending
    core = ConnectableCore(limit: limit, site: site)
    connections = Mutex(Connections(upstream: upstream))
  }

  @usableFromInline
  func connection(automaticFor count: Int?) -> Subscription? {
    if let count, core.liveCount < count { return nil }
    let (upstream, latest) = connections.withLock { ($0.upstream, $0.latest) }
    guard let upstream else { return nil }
    if let latest, !latest.isDisposed { return latest }
    return connect(upstream, automaticFor: count)
  }

  private func connect(_ upstream: Signal<Value>, automaticFor count: Int?) -> Subscription? {
    let run = lastRun.add(1, ordering: .relaxed).newValue
    let observer = Observer<Value>(
      receive: sending(core, run), end: { completion in self.ended(completion, run) })
    var result: Subscription?
    core.noteConnection()
    core.connect(upstream, observer) { subscription in
      // Values that are read or replaced are released after the lock: a release may run any code.
      var before: (latest: Subscription?, kept: Subscription?)
      result = connections.withLock { connections in
        before = (connections.latest, connections.kept)
        // Another thread may have been faster.
        if connections.upstream == nil { return nil }
        if let latest = before.latest, !latest.isDisposed { return latest }
        connections.latest = nil
        connections.kept = nil
        core.detach()
        if let count {
          // In this order: a subscriber that leaves is either no longer counted here, or finds the hub to notify.
          core.attach(to: self)
          guard core.liveCount >= count else {
            core.detach()
            return nil
          }
          connections.kept = subscription
        }
        connections.latest = subscription
        core.currentRun.store(run, ordering: .relaxed)
        return subscription
      }
      withExtendedLifetime(before) {}
      return result === subscription
    }
    return result
  }

  private func ended(_ completion: Completion, _ run: Int) {
    // The old connection is released after the lock: a release may run any code.
    let left: Connections? = connections.withLock { connections in
      guard core.isCurrent(run), connections.upstream != nil else { return nil }
      defer { connections = Connections() }
      return connections
    }
    guard let left else { return }
    core.detach()
    core.complete(completion)
    withExtendedLifetime(left) {}
  }

  /// Ends a connection that the subscribers retain, if none is left.
  func subscriberLeft() {
    let left: Connections? = connections.withLock { connections in
      guard connections.kept != nil, core.liveCount == 0 else { return nil }
      core.detach()
      // A later subscriber finds no connection, and connects again.
      defer { connections = Connections(upstream: connections.upstream) }
      return connections
    }
    left?.kept?.dispose()
  }
}

/// The subscribers of a connectable signal; notifies the hub when one leaves.
// Safe: the hub is in a mutex, and the number is atomic.
@usableFromInline
final class ConnectableCore<Value: Sendable>: EmitterCore<Value>, @unchecked Sendable {
  /// The number of the current connection. Written only under the hub's mutex.
  @usableFromInline let currentRun = Atomic<Int>(0)
  // Strong while the subscribers retain a connection, and at no other time: a subscription that is retained after its
  // end retains this, but not the chain above.
  private let hub = Mutex<ConnectableHub<Value>?>(nil)

  init(limit: Int, site: Site) {
    super.init(newest: nil, limit: limit, site: site)
  }

  /// Whether a connection is the current one: an earlier one may be in the middle of a value on another thread when the
  /// next one begins.
  @inlinable
  func isCurrent(_ run: Int) -> Bool { currentRun.load(ordering: .relaxed) == run }

  var liveCount: Int { lock.withLock { table.liveCount } }

  @usableFromInline
  override func subscriberLeft() {
    hub.withLock { $0 }?.subscriberLeft()
  }

  func attach(to hub: ConnectableHub<Value>) {
    self.hub.withLock { $0 = hub }
  }

  /// Only while other code retains the hub.
  func detach() {
    hub.withLock { $0 = nil }
  }
}
