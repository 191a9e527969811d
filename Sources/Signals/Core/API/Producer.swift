public import Synchronization

/// What a custom signal sends its events to.
///
/// Sending is thread-safe: values from several threads are serialised. After the end, and after the subscriber has left, sending does
/// nothing.
public struct Producer<Value: Sendable>: Sendable {
  @usableFromInline let junction: Junction<Value>
  /// What is disposed when the signal ends or the subscriber leaves.
  private let owned = DisposeBag(isNewestFirst: true)

  init(_ junction: Junction<Value>) {
    self.junction = junction
    junction.adopt(owned, as: junction.reserveKey())
  }

  /// Sends a value.
  ///
  /// - Returns: Whether the subscriber takes more.
  @inlinable
  @discardableResult
  public func send(_ value: Value) -> Bool {
    guard isActive else { return false }
    if junction.enter() {
      junction.attempt { try junction.emit(value) }
      junction.leave()
    } else {
      let junction = junction
      junction.perform { junction.attempt { try junction.emit(value) } }
    }
    return isActive
  }

  /// Ends the signal.
  public func finish() {
    let junction = junction
    junction.perform { junction.end(.finished) }
  }

  /// Ends the signal because of an error.
  public func fail(_ error: any Error) {
    let junction = junction
    junction.perform { junction.end(.failed(error)) }
  }

  /// Keeps something until the signal ends or the subscriber leaves, and then disposes it; at once if that has already happened.
  ///
  /// The newest is disposed first. Things that have ended by themselves are dropped from time to time.
  ///
  /// - Complexity: O(1) amortised.
  public func own(_ disposable: any Disposable) {
    owned.insert(disposable)
  }

  /// Runs an action when the signal ends or the subscriber leaves; at once if that has already happened.
  public func onDisposal(_ action: @escaping @Sendable () -> Void) {
    own(Subscription(action))
  }

  /// Whether the subscriber is still there and the signal has not ended.
  @inlinable
  public var isActive: Bool { !junction.isClosed.load(ordering: .acquiring) }
}

extension Signal {
  /// Makes a signal of your own: the closure runs for each subscription and sends events to the producer.
  ///
  /// ```swift
  /// let clicks = Signal<Click> { producer in
  ///   let handle = button.onClick { producer.send($0) }
  ///   producer.onDisposal { button.remove(handle) }
  /// }
  /// ```
  public init(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ start: @escaping @Sendable (Producer<Value>) -> Void
  ) {
    self.init(named: "custom", fileID: fileID, line: line, function: function, start)
  }

  init(
    named kind: StaticString, fileID: StaticString, line: UInt, function: StaticString,
    _ start: @escaping @Sendable (Producer<Value>) -> Void
  ) {
    self.init(Site(kind, fileID: fileID, line: line, function: function)) { observer, subscription in
      start(Producer(Junction(observer, subscription)))
    }
  }
}
