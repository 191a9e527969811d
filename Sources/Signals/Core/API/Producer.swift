public import Synchronization

/// The receiver of a custom source's events; see ``Signal/init(behavior:fileID:line:function:_:)``.
///
/// Each subscription has its own. Sending is thread-safe: values from several threads are delivered one after the
/// other. After the end, and after the subscriber has left, sending does nothing.
public struct Producer<Value: Sendable>: Sendable {
  @usableFromInline let junction: Junction<Value>
  /// Disposed when the signal ends or the subscriber leaves.
  private let owned = DisposeBag(isNewestFirst: true)

  init(_ junction: Junction<Value>) {
    self.junction = junction
    junction.adopt(owned, as: junction.reserveKey())
  }

  /// Sends a value. After the end, and after the subscriber has left, it does nothing.
  ///
  /// A source with many values checks the result, and stops when the subscriber takes no more:
  ///
  /// ```swift
  /// let numbers = Signal<Int> { producer in
  ///   var number = 0
  ///   while producer.send(number) { number += 1 }
  /// }
  /// let bag = DisposeBag()
  /// numbers.prefix(3).subscribe { print($0) }.store(in: bag)
  /// ```
  ///
  /// - Parameter value: The value.
  /// - Returns: Whether the subscriber takes more.
  @inlinable
  @discardableResult
  public func send(_ value: Value) -> Bool {
    guard isActive else {
      junction.node.noteSentAfterEnd()
      return false
    }
    if junction.enter() {
      junction.attempt { try junction.emit(value) }
      junction.leave()
    } else {
      let junction = junction
      junction.perform { junction.attempt { try junction.emit(value) } }
    }
    return isActive
  }

  /// Finishes the signal. After the end, and after the subscriber has left, it does nothing.
  public func finish() {
    let junction = junction
    junction.perform { junction.end(.finished) }
  }

  /// Fails the signal with an error. After the end, and after the subscriber has left, it does nothing.
  ///
  /// - Parameter error: The failure that the subscriber gets.
  public func fail(_ error: any Error) {
    let junction = junction
    junction.perform { junction.end(.failed(error)) }
  }

  /// Sends an event: a value or the end. After the end, and after the subscriber has left, it does nothing.
  ///
  /// It forwards everything that another signal delivers:
  ///
  /// ```swift
  /// let numbers = Property(1)
  /// let copies = Signal<Int> { producer in
  ///   producer.own(numbers.signal.subscribeToEvents { event in producer.send(event: event) })
  /// }
  /// ```
  ///
  /// If the other signal is endless and delivers inside `subscribe`, subscribing to such a copy never returns, even if
  /// the subscriber has left: write an operator with ``Signal/lift(_:state:_:)`` instead.
  ///
  /// - Parameter event: The value, the failure or the regular end.
  /// - Returns: Whether the subscriber takes more.
  @discardableResult
  public func send(event: Event<Value>) -> Bool {
    switch event {
    case .value(let value): send(value)
    case .failed(let error): fail(error)
    case .finished: finish()
    }
    return isActive
  }

  /// Retains a disposable until the signal ends or the subscriber leaves, and then disposes it; at once if that has
  /// already happened.
  ///
  /// The newest is disposed first. Disposables that have ended are removed from time to time.
  ///
  /// ```swift
  /// let numbers = Emitter<Int>()
  /// let squares = Signal<Int> { producer in
  ///   producer.own(numbers.signal.subscribe { producer.send($0 * $0) })
  /// }
  /// ```
  ///
  /// A signal that delivers inside `subscribe` has delivered everything before `own` is called, so `own` cannot stop an
  /// endless one: write an operator with ``Signal/lift(_:state:_:)``.
  ///
  /// - Parameter disposable: The item to dispose.
  /// - Complexity: O(1) amortised.
  public func own(_ disposable: any Disposable) {
    owned.insert(disposable)
  }

  /// Runs an action when the signal ends or the subscriber leaves; at once if that has already happened.
  ///
  /// The newest action runs first, on the thread that ends the signal or disposes the subscription.
  ///
  /// - Parameter action: Called once. No lock is held.
  /// - Complexity: O(1) amortised.
  public func onDisposal(_ action: @escaping @Sendable () -> Void) {
    own(Subscription(action))
  }

  /// Whether the subscriber is still there and the signal has not ended.
  @inlinable
  public var isActive: Bool { !junction.isClosed.load(ordering: .acquiring) }
}

extension Producer where Value == Void {
  /// Sends `()`.
  ///
  /// - Returns: Whether the subscriber takes more.
  @inlinable
  @discardableResult
  public func send() -> Bool { send(()) }
}

extension Producer {
  /// Runs a closure in which the source queries a pipeline of another library, whose steps are then shown as its
  /// inputs.
  package func ask<Result>(_ body: () throws -> Result) rethrows -> Result { try junction.node.ask(body) }

  /// The asynchronous overload.
  package func ask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await junction.node.ask(isolation: isolation, body)
  }
}

extension Signal {
  /// Creates a custom signal: the closure runs for each subscription and sends events to the producer.
  ///
  /// ```swift
  /// final class Button: Sendable {
  ///   func onClick(_ action: @escaping @Sendable (Int) -> Void) -> Int { 1 }
  ///   func remove(_ handler: Int) {}
  /// }
  /// let button = Button()
  /// let clicks = Signal<Int> { producer in
  ///   let handler = button.onClick { count in producer.send(count) }
  ///   producer.onDisposal { button.remove(handler) }
  /// }
  /// ```
  ///
  /// Events sent before the closure returns are delivered inside subscribe. The closure may retain the producer and
  /// send later, from any thread. When the signal ends, or the subscriber leaves, everything passed to
  /// ``Producer/own(_:)`` and ``Producer/onDisposal(_:)`` is disposed.
  ///
  /// - Parameters:
  ///   - behavior: The behaviour of the source, for findings and explanations.
  ///   - start: Called once for each subscription, on the subscribing thread.
  ///
  /// See also ``Emitter``, and ``deferred(fileID:line:function:_:)`` for sources that are signals.
  public init(
    behavior: OperatorBehavior = .startsWork,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ start: @escaping @Sendable (Producer<Value>) -> Void
  ) {
    self.init(named: "Signal", behavior: behavior, fileID: fileID, line: line, function: function, start)
  }

  /// A source of this package, under any name.
  package init(
    named kind: StaticString, behavior: OperatorBehavior = [],
    fileID: StaticString, line: UInt, function: StaticString,
    _ start: @escaping @Sendable (Producer<Value>) -> Void
  ) {
    self.init(Site(kind, behavior: behavior, fileID: fileID, line: line, function: function)) {
      observer, subscription in
      start(Producer(Junction(observer, subscription)))
    }
  }
}
