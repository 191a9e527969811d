/// The write side: sends values to all subscribers of its signal.
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
/// Sending is thread-safe, and synchronous unless another value is being delivered: when `send` returns, the value has
/// been handled. A value that is sent during a delivery, from another thread or inside a handler, is delivered right
/// after that one (laws 2 and 3). No lock is held while handlers run.
///
/// Deallocating an emitter finishes its signal. A subscriber after the end gets the end at once (law 10).
///
/// See also ``Property`` for a value that can be read at any time, and ``Signal/init(behavior:fileID:line:function:_:)`` for a source that
/// begins with each subscription.
public final class Emitter<Value: Sendable>: Sendable {
  @usableFromInline let core: EmitterCore<Value>

  /// Creates an emitter.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let log = Emitter<String>(replay: 2)
  /// for line in ["one", "two", "three"] { log.send(line) }
  /// log.signal.subscribe { print($0) }.store(in: bag)  // Prints two and three.
  /// ```
  ///
  /// - Parameter replay: The number of latest values that a new subscriber gets first. A negative number counts as 0.
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
  /// A call during a delivery enqueues its value for the thread that is delivering, and returns (law 5).
  ///
  /// - Parameter value: The value.
  /// - Complexity: O(*n*) in the number of subscribers; no heap allocation.
  @inlinable
  public func send(_ value: Value) {
    core.send(value)
  }

  /// Fails the signal with an error. After the end it does nothing.
  ///
  /// Pending values are delivered first.
  ///
  /// - Parameter error: The failure that subscribers get.
  /// - Complexity: O(*n*) in the number of subscribers.
  public func fail(_ error: any Error) {
    core.complete(.failed(error))
  }

  /// Finishes the signal. After the end it does nothing.
  ///
  /// Pending values are delivered first.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  public func finish() {
    core.complete(.finished)
  }

  /// Sends an event: a value or the end. After the end it does nothing.
  ///
  /// It forwards everything that another signal delivers to this emitter:
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

  /// The read side: every subscriber gets the values sent from then on, after the replayed ones, if any.
  @inlinable
  public var signal: Signal<Value> { Signal(emitter: core) }

  /// The number of current subscriptions. Those made with `subscribe(with:)` whose owner is deallocated are ended
  /// first.
  ///
  /// Those in a bag that outlived its owner are not, see ``DisposeBagOwner``.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions of the process that have an owner.
  public var subscriberCount: Int { core.subscriberCount }

  /// The subscribers in subscription order, with location and name, even when the live graph is off.
  ///
  /// Those made with `subscribe(with:)` whose owner is deallocated are ended first, as by ``subscriberCount``. Behind
  /// an operator with several inputs, the subscriber below the operator is listed; behind
  /// ``Signal/share(replay:fileID:line:function:)``, the location of `share`.
  ///
  /// - Complexity: O(*n*) in the number of subscribers, and in that of the subscriptions of the process that have an owner.
  public var subscribers: [SubscriberDescription] { core.subscribers }

  /// The number of values that were accepted and are not delivered yet.
  ///
  /// Values that a handler or another thread sends during a delivery are queued. The delivering thread delivers them
  /// too, one after the other, before its own call returns. If other threads send faster than the handlers work, that
  /// call may never return, and this number grows without bound: send less often, or do less in the handlers. The live
  /// graph shows the number if it is above zero.
  ///
  /// Below `replay`, a value that waits only because a new subscriber is still receiving earlier ones counts too, once
  /// for each such subscriber.
  ///
  /// - Complexity: O(1).
  public var waitingCount: Int { core.waitingCount }

  /// The number of values delivered since creation, or since ``resetSentCount()``.
  public var sentCount: Int { Int(clamping: core.sentCount) }

  /// Resets ``sentCount`` to 0.
  public func resetSentCount() { core.resetSentCount() }

  /// Ends all current subscriptions without an event. The emitter stays usable.
  ///
  /// Operators with one input at a time end with it, also `share`, `concat`, `catch` and `timeout`: values that wait in
  /// `debounce` or `receive(on:)`, timers and tasks are dropped. Others, such as `merge`, `flatMap`, `withLatest`,
  /// `multicast` and `window`, continue with their other inputs and with what waits in them and below. Those that
  /// end with this input do not end any more, also if no input is left: dispose their subscriptions.
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
  /// A subscription that reaches this emitter through operators is ended as a whole, even if it has other inputs. Those
  /// behind ``Signal/share(replay:fileID:line:function:)`` are not found here.
  ///
  /// - Parameter owner: The object. A later object at the same address is a different one.
  /// - Complexity: O(*n*) in the number of subscribers.
  public func disposeSubscriptions(of owner: some AnyObject) { core.disposeSubscriptions(of: owner) }
}

extension Emitter where Value == Void {
  /// Sends `()` to all subscribers.
  ///
  /// - Complexity: O(*n*) in the number of subscribers; no heap allocation.
  @inlinable
  public func send() { send(()) }
}
