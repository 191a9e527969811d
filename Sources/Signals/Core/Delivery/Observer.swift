/// The receiving end of a subscription, as an operator or a custom source sees it.
///
/// Values and the end travel on separate closures, so that the path of a value stays as short as a closure call.
///
/// - `receive` is called for each value, one at a time. It throws when the subscription takes no more values: with the error of
///   a closure further down (law 11), or with ``StopDelivery`` when the signal has already ended below. Whoever calls
///   `receive` lets that error travel up, unless it is an operator that ends by itself. The source ends the subscription.
/// - `end` is called at most once, and nothing after it.
///
/// An operator that passes `end` on unchanged calls `receive`. An operator that does something of its own at the end calls ``deliver(_:)``
/// instead, so that an error made below it does not come back to it as if it came from above.
public struct Observer<Value: Sendable>: Sendable {
  // The form that operators and sources are made of, as it can be copied; where it is called again and again, a `KeptObserver` holds it.

  /// Takes a value.
  public let receive: @Sendable (Value) throws -> Void
  /// Takes the end.
  public let end: @Sendable (Completion) -> Void

  /// Makes an observer from its two closures, which lead to another observer.
  ///
  /// - Parameters:
  ///   - downstream: The observer below, to which the closures lead.
  ///   - receive: Takes a value.
  ///   - end: Takes the end.
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
  ///
  /// - Parameters:
  ///   - downstream: The observer below, to which the closure leads.
  ///   - receive: Takes a value.
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

  /// Hands a value on; an error that comes back belongs to what is below, and is not taken for one of this operator's.
  ///
  /// - Parameter value: The value.
  /// - Throws: What to let travel up, unchanged: the source ends the subscription, and then what is below is told of the failure.
  @inlinable
  public func deliver(_ value: Value) throws {
    do {
      try receive(value)
    } catch {
      throw stop(after: error)
    }
  }

  /// The error to throw for one that belongs to what is below this observer's operator.
  @usableFromInline
  func stop(after error: any Error) -> any Error {
    error.isStopDelivery || error.endBelow != nil ? error : EndBelow(completion: .failed(error), end: end)
  }

  /// The error to throw for finishing this observer early: the source ends the subscription, and then what is below is told.
  @usableFromInline
  func finishing() -> any Error { EndBelow(completion: .finished, end: end) }
}

/// Thrown by ``Observer/receive`` when the subscription has ended and takes no more values.
public struct StopDelivery: Error {
  /// Makes the error.
  @inlinable
  public init() {}
}

/// An end on its way up to the source, past operators that it does not concern: that of an operator that ends early, or that of a closure that
/// threw.
///
/// The source ends the subscription first; so whoever is told of the end finds it over.
private struct EndBelow: Error {
  let completion: Completion
  /// Takes the end, below the lowest operator that it does not concern.
  let end: @Sendable (Completion) -> Void
}

/// Tells a chain of the error that it threw, once the subscription is over.
@usableFromInline
func endChain(_ end: @Sendable (Completion) -> Void, after error: any Error) {
  if let below = error.endBelow {
    below.end(below.completion)
  } else if !error.isStopDelivery {
    end(.failed(error))
  }
}

extension Error {
  // Beside a cast, which takes some three hundred instructions.
  fileprivate var isStopDelivery: Bool { Self.self == StopDelivery.self }

  fileprivate var endBelow: EndBelow? {
    guard Self.self == EndBelow.self else { return nil }
    // Safe: this is its type.
    return withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: EndBelow.self).pointee }
  }
}
