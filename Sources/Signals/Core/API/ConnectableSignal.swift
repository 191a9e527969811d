/// A signal that many share and that begins when it is told to, not when somebody subscribes.
///
/// ``Signal/multicast(replay:fileID:line:function:)`` makes it of a signal. All subscribers of ``signal`` are in place before
/// ``connect()`` begins the one subscription to the source that they share; so none of them misses a value.
///
/// ```swift
/// let bag = DisposeBag()
/// let numbers = Signal.sequence(1...3).multicast()
/// numbers.signal.subscribe { print("first: \($0)") }.store(in: bag)
/// numbers.signal.subscribe { print("second: \($0)") }.store(in: bag)
/// numbers.connect().store(in: bag)
/// ```
///
/// It can be copied like any value; the copies are the same signal with the same connection.
///
/// - **Errors:** a failure of the source goes to all subscribers.
/// - **Ends:** with the source. Who subscribes after that gets what is replayed and the end at once (law 10), and connecting does nothing. When a
///   connection is disposed, the subscribers stay, and get the values of the next one.
/// - **Order and threads:** all subscribers see the same values in the same order (law 2), on the thread that delivers them. Like any operator
///   that hands values to several subscribers, it ends the reach of a hop above it (law 14).
/// - **Allocations:** none for a value.
public struct ConnectableSignal<Value: Sendable>: Sendable {
  /// What the subscribers share. Subscribing to it begins nothing.
  public let signal: Signal<Value>
  @usableFromInline let connector: any Connector

  @inlinable
  init(signal: Signal<Value>, connector: any Connector) {
    self.signal = signal
    self.connector = connector
  }

  /// Begins the subscription to the source that all subscribers share.
  ///
  /// While there is a connection, it returns that one. After it was disposed, it makes another.
  ///
  /// ```swift
  /// let ticks = Signal.interval(every: .seconds(1), on: .main).multicast()
  /// ticks.signal.subscribe { print($0) }.retained()
  /// let connection = ticks.connect()
  /// connection.dispose()  // The clock stops.
  /// ```
  ///
  /// - Returns: The connection: when it is disposed or released, the source is left. It has ended already if the source has.
  public func connect() -> Subscription {
    if let connection = connector.connection(automaticFor: nil) { return connection }
    let over = Subscription()
    over.dispose()
    return over
  }

  /// Connects by itself as soon as there are so many subscribers, and leaves the source with the last of them.
  ///
  /// After that, it begins anew with as many subscribers again.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let numbers = Signal.sequence(1...3).multicast().autoconnect(after: 2)
  /// numbers.subscribe { print("first: \($0)") }.store(in: bag)
  /// numbers.subscribe { print("second: \($0)") }.store(in: bag)  // Begins here.
  /// ```
  ///
  /// A connection that ``connect()`` has made is left alone.
  ///
  /// - Parameter count: How many subscribers there have to be at the same time, those of ``signal`` included. Less than 1 counts as 1.
  /// - Returns: The signal to subscribe to.
  ///
  /// See also ``Signal/share(replay:fileID:line:function:)``, which begins with the first subscriber and forgets everything with the last.
  public func autoconnect(after count: Int = 1) -> Signal<Value> {
    let (signal, connector, count) = (signal, connector, max(1, count))
    return Signal(.hidden, derivedFrom: signal) { downstream, subscription in
      signal.connect(downstream, subscription)
      _ = connector.connection(automaticFor: count)
    }
  }
}

/// What connects a source with its subscribers.
@usableFromInline
protocol Connector: AnyObject, Sendable {
  /// The connection that there is, or a new one.
  ///
  /// - Parameter count: Makes one only if there are so many subscribers, which is left with the last of them; nil makes one in any case, for the
  ///   caller to keep.
  /// - Returns: Nil if there is none.
  func connection(automaticFor count: Int?) -> Subscription?
}
