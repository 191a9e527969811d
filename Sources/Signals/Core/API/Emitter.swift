/// The write side: sends values to everybody who subscribed to its signal.
///
/// ```swift
/// let bag = DisposeBag()
/// let keystrokes = Emitter<Character>()
/// keystrokes.signal
///   .subscribe { print("typed \($0)") }
///   .store(in: bag)
/// keystrokes.send("a")
/// keystrokes.finish()
/// ```
///
/// Sending is thread-safe, and synchronous when nothing else is being delivered: when `send` returns, the value has been handled. What
/// is sent while another value is on its way (from another thread, or inside a handler) is delivered right after that one (laws 2 and 3).
/// No lock is held while handlers run.
///
/// An emitter that goes away finishes its signal, as nobody is left to send. Who subscribes after the end gets the end at once (law 10).
///
/// See also ``Property`` for a value that can be read at any time, and ``Signal/init(behavior:fileID:line:function:_:)`` for a source that
/// begins with each subscription.
public final class Emitter<Value: Sendable>: Sendable {
  @usableFromInline let core: EmitterCore<Value>

  /// Makes an emitter.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let log = Emitter<String>(replay: 2)
  /// for line in ["one", "two", "three"] { log.send(line) }
  /// log.signal.subscribe { print($0) }.store(in: bag)  // Prints two and three.
  /// ```
  ///
  /// - Parameter replay: How many of the latest values a new subscriber gets first. A negative number counts as 0.
  ///
  /// See also ``init(replay:for:on:fileID:line:function:)``.
  @inlinable
  public init(
    replay: Int = 0,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    core = EmitterCore(
      newest: nil, limit: max(0, replay),
      site: Site("emitter", behavior: [.passesOn, .sendsUnasked], fileID: fileID, line: line, function: function))
  }

  init(core: EmitterCore<Value>) {
    self.core = core
  }

  deinit {
    core.complete(.finished, isReleased: true)
  }

  /// Sends a value to all subscribers. After the end it does nothing.
  ///
  /// A call that finds another value on its way leaves its own value to whoever is delivering, and returns (law 5).
  ///
  /// - Parameter value: The value.
  /// - Complexity: O(*n*) in the number of subscribers; no heap allocation.
  @inlinable
  public func send(_ value: Value) {
    core.send(value)
  }

  /// Ends the signal because of an error. After the end it does nothing.
  ///
  /// Values that are on their way are delivered first.
  ///
  /// - Parameter error: What subscribers get as the failure.
  /// - Complexity: O(*n*) in the number of subscribers.
  public func fail(_ error: any Error) {
    core.complete(.failed(error))
  }

  /// Ends the signal. After the end it does nothing.
  ///
  /// Values that are on their way are delivered first.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  public func finish() {
    core.complete(.finished)
  }

  /// Sends an event: a value or the end. After the end it does nothing.
  ///
  /// It connects a signal to this emitter with everything it delivers:
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let copy = Emitter<Int>()
  /// copy.signal.subscribe { print($0) }.store(in: bag)
  /// Signal.sequence(1...3)
  ///   .subscribeToEvents { event in copy.send(event: event) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - Parameter event: The value, the failure or the regular end.
  /// - Complexity: O(*n*) in the number of subscribers.
  public func send(event: Event<Value>) {
    switch event {
    case .value(let value): core.send(value)
    case .failed(let error): core.complete(.failed(error))
    case .finished: core.complete(.finished)
    }
  }

  /// The read side: every subscriber gets what is sent from then on, after the latest values if the emitter replays some.
  @inlinable
  public var signal: Signal<Value> { Signal(emitter: core) }

  /// How many subscriptions there are now. Those made with `subscribe(with:)` whose owner is gone are ended first.
  ///
  /// Not so those in a bag that outlived the owner, see ``DisposeBagOwner``.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions of the process that have an owner.
  public var subscriberCount: Int { core.subscriberCount }

  /// Who is subscribed now, in the order of subscription: the place and the name of each, whether or not the live graph is on.
  ///
  /// Those made with `subscribe(with:)` whose owner is gone are ended first, as by ``subscriberCount``. Behind an operator with several inputs the
  /// subscriber below it is told; behind ``Signal/share(replay:fileID:line:function:)``, the place of `share`.
  ///
  /// - Complexity: O(*n*) in the number of subscribers, and in that of the subscriptions of the process that have an owner.
  public var subscribers: [SubscriberDescription] { core.subscribers }

  /// How many values were accepted and wait for their turn.
  ///
  /// Values wait while another one is being delivered: those that a handler sends, and those that other threads send meanwhile. Whoever
  /// is delivering delivers them too, one after the other, before its own call returns. When other threads send faster than the handlers
  /// work, that call may never return, and this number grows without bound: send less often, or do less in the handlers. The live graph
  /// shows the number where it is above zero.
  ///
  /// Below `replay`, a value that waits only because a new subscriber still gets earlier ones counts too, once for each such subscriber.
  ///
  /// - Complexity: O(1).
  public var waitingCount: Int { core.waitingCount }

  /// How many values were delivered since the beginning, or since ``resetSentCount()``.
  public var sentCount: Int { Int(clamping: core.sentCount) }

  /// Starts ``sentCount`` again from 0.
  public func resetSentCount() { core.resetSentCount() }

  /// Ends all subscriptions that there are now, without an event. The emitter stays usable.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  public func disposeAllSubscriptions() { core.disposeAll() }

  /// Ends the subscriptions that were made for an object with `subscribe(with:)` or a binding, without an event.
  ///
  /// ```swift
  /// final class Label: Sendable {
  ///   func show(_ text: String) { print(text) }
  /// }
  /// let label = Label()
  /// let title = Emitter<String>()
  /// title.signal.subscribe(with: label) { label, text in label.show(text) }
  /// title.disposeSubscriptions(of: label)
  /// print(title.subscriberCount)  // 0
  /// ```
  ///
  /// A subscription that reaches this emitter through operators is ended as a whole, also when it has other inputs. Those behind
  /// ``Signal/share(replay:fileID:line:function:)`` are not found here.
  ///
  /// - Parameter owner: The object. An object that was made later at the same address is another one.
  /// - Complexity: O(*n*) in the number of subscribers.
  public func disposeSubscriptions(of owner: some AnyObject) { core.disposeSubscriptions(of: owner) }
}

extension Emitter where Value == Void {
  /// Sends the only value there is, to all subscribers.
  ///
  /// - Complexity: O(*n*) in the number of subscribers; no heap allocation.
  @inlinable
  public func send() { send(()) }
}
