/// A shared signal that starts on `connect()`, not on subscription.
///
/// Created by ``Signal/multicast(replay:fileID:line:function:)``. Subscribe to ``signal`` first; then ``connect()``
/// starts the one subscription to the source that all subscribers share, and none of them misses a value.
///
/// ```swift
/// let bag = DisposeBag()
/// let numbers = Signal.sequence(1...3).multicast()
/// numbers.signal.subscribe { print("first: \($0)") }.store(in: bag)
/// numbers.signal.subscribe { print("second: \($0)") }.store(in: bag)
/// numbers.connect().store(in: bag)
/// ```
///
/// Copies are the same signal with the same connection.
///
/// - **Errors:** a failure of the source goes to all subscribers.
/// - **Ends:** with the source. A subscriber after that gets the replayed values and the end at once (law 10), and
///   connecting does nothing. When a connection is disposed, the subscribers stay, and get the values of the next one.
/// - **Order and threads:** all subscribers see the same values in the same order (law 2), on the thread that delivers
///   them. As with any operator with several subscribers, a hop above it does not apply to the operators below it (law
///   14).
/// - **Allocations:** none for a value.
public struct ConnectableSignal<Value: Sendable>: Sendable {
  /// The signal to subscribe to. Subscribing starts nothing.
  public let signal: Signal<Value>
  @usableFromInline let connector: any Connector

  @inlinable
  init(signal: Signal<Value>, connector: any Connector) {
    self.signal = signal
    self.connector = connector
  }

  /// Starts the subscription to the source that all subscribers share.
  ///
  /// Returns the existing connection if there is one. After that was disposed, it creates another.
  ///
  /// ```swift
  /// let ticks = Signal.interval(every: .seconds(1), on: .main).multicast()
  /// ticks.signal.subscribe { print($0) }.retained()
  /// let connection = ticks.connect()
  /// connection.dispose()  // The clock stops.
  /// ```
  ///
  /// - Returns: The connection. Disposing or releasing it unsubscribes from the source. It has already ended if the
  ///   source has.
  public func connect() -> Subscription {
    if let connection = connector.connection(automaticFor: nil) { return connection }
    let over = Subscription()
    over.dispose()
    return over
  }

  /// Connects when the number of subscribers reaches `count`, and disposes the connection with the last of them.
  ///
  /// After that, it connects again when as many have subscribed.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let numbers = Signal.sequence(1...3).multicast().autoconnect(after: 2)
  /// numbers.subscribe { print("first: \($0)") }.store(in: bag)
  /// numbers.subscribe { print("second: \($0)") }.store(in: bag)  // Begins here.
  /// ```
  ///
  /// A connection created by ``connect()`` stays.
  ///
  /// - Parameter count: The number of simultaneous subscribers, those of ``signal`` included. Less than 1 counts as 1.
  /// - Returns: The signal to subscribe to.
  ///
  /// See also ``Signal/share(replay:fileID:line:function:)``, which starts with the first subscriber and discards its
  /// state with the last.
  public func autoconnect(after count: Int = 1) -> Signal<Value> {
    let (signal, connector, count) = (signal, connector, max(1, count))
    return Signal(.hidden, derivedFrom: signal) { downstream, subscription in
      signal.connect(downstream, subscription)
      _ = connector.connection(automaticFor: count)
    }
  }
}

/// The connection between a source and its subscribers.
@usableFromInline
protocol Connector: AnyObject, Sendable {
  /// The current connection, or a new one.
  ///
  /// - Parameter count: Creates one only at this number of subscribers; the last of them disposes it. Nil always
  ///   creates one, which the caller retains.
  /// - Returns: Nil if there is none.
  func connection(automaticFor count: Int?) -> Subscription?
}
