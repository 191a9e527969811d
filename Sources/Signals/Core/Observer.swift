/// The receiving end of a subscription, as an operator or a custom source sees it.
///
/// Values and the end travel on separate closures, so that the path of a value stays as short as a closure call.
///
/// - `receive` is called for each value, one at a time. It throws when the subscription takes no more values: with the error of
///   a closure further down (law 11), or with ``StopDelivery`` when the signal has already ended below. Whoever calls
///   `receive` either lets that error travel up, or handles it with ``deliver(_:)``.
/// - `end` is called at most once, and nothing after it.
///
/// An operator that passes `end` on unchanged calls `receive` and lets errors travel up. An operator that does something of its own at
/// the end calls ``deliver(_:)`` instead, so that an error made below it does not come back to it as if it came from above.
public struct Observer<Value: Sendable>: Sendable {
  /// Takes a value.
  public let receive: @Sendable (Value) throws -> Void
  /// Takes the end.
  public let end: @Sendable (Completion) -> Void

  /// Makes an observer from its two closures, which lead to another observer.
  @inlinable
  public init<Downstream>(
    for downstream: Observer<Downstream>,
    receive: @escaping @Sendable (Value) throws -> Void,
    end: @escaping @Sendable (Completion) -> Void
  ) {
    self.receive = receive
    self.end = end
  }

  /// Makes an observer that passes the end on unchanged.
  @inlinable
  public init<Downstream>(
    for downstream: Observer<Downstream>,
    receive: @escaping @Sendable (Value) throws -> Void
  ) {
    self.receive = receive
    self.end = downstream.end
  }

  @inlinable
  init(
    receive: @escaping @Sendable (Value) throws -> Void, end: @escaping @Sendable (Completion) -> Void
  ) {
    self.receive = receive
    self.end = end
  }

  /// Hands a value on; an error that comes back ends this observer, and only the wish to stop travels up.
  ///
  /// - Throws: ``StopDelivery``, after the observer was ended.
  @inlinable
  public func deliver(_ value: Value) throws {
    do {
      try receive(value)
    } catch {
      throw stop(after: error)
    }
  }

  /// Ends the observer with an error that one of its closures threw, and gives the error to throw instead.
  @inlinable
  func stop(after error: any Error) -> StopDelivery {
    if !(error is StopDelivery) { end(.failed(error)) }
    return StopDelivery()
  }
}

/// Thrown by ``Observer/receive`` when the subscription has ended and takes no more values.
public struct StopDelivery: Error {
  /// Makes the error.
  @inlinable
  public init() {}
}
