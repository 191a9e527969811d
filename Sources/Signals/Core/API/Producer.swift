public import Synchronization

/// What a signal of your own sends its events to; see ``Signal/init(behavior:fileID:line:function:_:)``.
///
/// There is one for each subscription. Sending is thread-safe: values from several threads come one after the other. After the end, and
/// after the subscriber has left, sending does nothing.
public struct Producer<Value: Sendable>: Sendable {
  @usableFromInline let junction: Junction<Value>
  /// What is disposed when the signal ends or the subscriber leaves.
  private let owned = DisposeBag(isNewestFirst: true)

  init(_ junction: Junction<Value>) {
    self.junction = junction
    junction.adopt(owned, as: junction.reserveKey())
  }

  /// Sends a value. After the end, and after the subscriber has left, it does nothing.
  ///
  /// A source with much to send asks the result, and stops when nobody takes more:
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

  /// Ends the signal. After the end, and after the subscriber has left, it does nothing.
  public func finish() {
    let junction = junction
    junction.perform { junction.end(.finished) }
  }

  /// Ends the signal because of an error. After the end, and after the subscriber has left, it does nothing.
  ///
  /// - Parameter error: What the subscriber gets as the failure.
  public func fail(_ error: any Error) {
    let junction = junction
    junction.perform { junction.end(.failed(error)) }
  }

  /// Sends an event: a value or the end. After the end, and after the subscriber has left, it does nothing.
  ///
  /// It passes on everything that another signal delivers:
  ///
  /// ```swift
  /// let numbers = Property(1)
  /// let copies = Signal<Int> { producer in
  ///   producer.own(numbers.signal.subscribeToEvents { event in producer.send(event: event) })
  /// }
  /// ```
  ///
  /// Where the other signal is endless and delivers inside `subscribe`, subscribing to such a copy never returns, even if the subscriber has had
  /// enough: make an operator with ``Signal/lift(_:state:_:)``.
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

  /// Keeps something until the signal ends or the subscriber leaves, and then disposes it; at once if that has already happened.
  ///
  /// The newest is disposed first. Things that have ended by themselves are dropped from time to time.
  ///
  /// ```swift
  /// let numbers = Emitter<Int>()
  /// let squares = Signal<Int> { producer in
  ///   producer.own(numbers.signal.subscribe { producer.send($0 * $0) })
  /// }
  /// ```
  ///
  /// A signal that delivers inside `subscribe` has delivered everything before `own` is called, so `own` cannot stop an endless one: make an
  /// operator with ``Signal/lift(_:state:_:)``.
  ///
  /// - Parameter disposable: What is disposed.
  /// - Complexity: O(1) amortised.
  public func own(_ disposable: any Disposable) {
    owned.insert(disposable)
  }

  /// Runs an action when the signal ends or the subscriber leaves; at once if that has already happened.
  ///
  /// The newest action runs first, on the thread that ends the signal or disposes the subscription.
  ///
  /// - Parameter action: Called once, without a lock.
  /// - Complexity: O(1) amortised.
  public func onDisposal(_ action: @escaping @Sendable () -> Void) {
    own(Subscription(action))
  }

  /// Whether the subscriber is still there and the signal has not ended.
  @inlinable
  public var isActive: Bool { !junction.isClosed.load(ordering: .acquiring) }
}

extension Producer where Value == Void {
  /// Sends the only value there is.
  ///
  /// - Returns: Whether the subscriber takes more.
  @inlinable
  @discardableResult
  public func send() -> Bool { send(()) }
}

extension Producer {
  /// Runs a closure in which the source asks a pipeline of another library, whose steps then show as feeding it.
  package func ask<Result>(_ body: () throws -> Result) rethrows -> Result { try junction.node.ask(body) }

  /// The same, with a closure that waits.
  package func ask<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await junction.node.ask(isolation: isolation, body)
  }
}

extension Signal {
  /// Makes a signal of your own: the closure runs for each subscription and sends events to the producer.
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
  /// What the closure sends before it returns is delivered inside subscribe. The closure may keep the producer and send later, from any thread.
  /// When the signal ends, or the subscriber leaves, what was handed to ``Producer/own(_:)`` and ``Producer/onDisposal(_:)`` is disposed.
  ///
  /// - Parameters:
  ///   - behavior: What it does, for findings and explanations.
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

  /// A source of this package, whatever it is called.
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
