/// The receiving end of a subscription, for operators and custom sources.
///
/// Values and the end have separate closures, so that the path of a value is as short as a closure call.
///
/// - `receive` is called for each value, one at a time. It throws when the subscription takes no more values: with the
///   error of a closure further down (law 11), with ``StopDelivery`` when the signal has already ended below, or with
///   an end that an operator below has chosen. The caller of `receive` rethrows that error, unless it is an operator
///   that ends by itself. The source ends the subscription.
/// - `end` is called at most once, and nothing after it.
///
/// An operator that passes `end` on unchanged calls `receive`. An operator with its own action at the end calls
/// ``deliver(_:)`` instead, so that a downstream error does not return to it as if it came from upstream.
public struct Observer<Value: Sendable>: Sendable {
  // The copyable form, which operators and sources are built from; where it is called repeatedly, a `KeptObserver`
  // holds it.

  /// Takes a value.
  public let receive: @Sendable (Value) throws -> Void
  /// Takes the end.
  public let end: @Sendable (Completion) -> Void

  /// Creates an observer from its two closures, which lead to another observer.
  ///
  /// - Parameters:
  ///   - downstream: The downstream observer, to which the closures lead. It is required only so that no observer
  ///     without a downstream is created outside the library.
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

  /// Creates an observer that passes the end on unchanged.
  ///
  /// - Parameters:
  ///   - downstream: The downstream observer, to which the closure leads.
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

  /// Delivers a value downstream; a thrown error belongs to the downstream, and is not attributed to this operator.
  ///
  /// - Parameter value: The value.
  /// - Throws: The error to rethrow unchanged: the source ends the subscription, and then the downstream gets the
  ///   failure.
  @inlinable
  public func deliver(_ value: Value) throws {
    do {
      try receive(value)
    } catch {
      throw stop(after: error)
    }
  }

  /// Returns the error to throw for an error of this observer's downstream.
  @usableFromInline
  func stop(after error: any Error) -> any Error {
    error.isStopDelivery || error.endBelow != nil ? error : EndBelow(completion: .failed(error), end: end)
  }

  /// Returns the error to throw for finishing this observer early: the source ends the subscription, and then the
  /// downstream gets the end.
  @usableFromInline
  func finishing() -> any Error { EndBelow(completion: .finished, end: end) }
}

/// Thrown by ``Observer/receive`` when the subscription has ended and takes no more values.
public struct StopDelivery: Error {
  /// Creates the error.
  @inlinable
  public init() {}
}

/// An end on its way up to the source, past operators that it does not concern: that of an operator that ends early, or
/// of a closure that threw.
///
/// The source ends the subscription first; so a receiver of the end finds it over.
private struct EndBelow: Error {
  let completion: Completion
  /// The `end` of the observer on which ``Observer/deliver(_:)`` or `finishing()` was called.
  let end: @Sendable (Completion) -> Void
}

/// Delivers to a chain the error that it threw, once the subscription is over.
@usableFromInline
func endChain(_ end: @Sendable (Completion) -> Void, after error: any Error) {
  if let below = error.endBelow {
    below.end(below.completion)
  } else if !error.isStopDelivery {
    end(.failed(error))
  }
}

extension Error {
  // Types are compared instead of cast: a cast takes some three hundred instructions.
  fileprivate var isStopDelivery: Bool { Self.self == StopDelivery.self }

  fileprivate var endBelow: EndBelow? {
    guard Self.self == EndBelow.self else { return nil }
    // Safe: this is its type.
    return withUnsafePointer(to: self) { UnsafeRawPointer($0).assumingMemoryBound(to: EndBelow.self).pointee }
  }
}
