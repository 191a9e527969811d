/// One thing that a signal delivers: a value, or the end.
///
/// A signal delivers any number of `.value`s and then at most one of `.failed` and `.finished` (law 1). See
/// ``Signal/subscribeToEvents(fileID:line:function:_:)`` and ``Emitter/send(event:)``.
public enum Event<Value: Sendable>: Sendable {
  /// A value.
  case value(Value)
  /// The end, because of an error.
  case failed(any Error)
  /// The regular end.
  case finished
}

/// How a signal ended.
public enum Completion: Sendable {
  /// Regularly.
  case finished
  /// Because of an error.
  case failed(any Error)

  /// The error, if there was one.
  public var failure: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }
}

extension Event {
  /// Creates the event for a completion.
  ///
  /// - Parameter completion: How the signal ended.
  public init(_ completion: Completion) {
    switch completion {
    case .finished: self = .finished
    case .failed(let error): self = .failed(error)
    }
  }
}

extension Event: Equatable where Value: Equatable {
  /// Whether both are the same event. Failures are equal if their errors have the same type and description.
  ///
  /// - Parameters:
  ///   - left: An event.
  ///   - right: Another event.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.value(let left), .value(let right)): left == right
    case (.finished, .finished): true
    case (.failed(let left), .failed(let right)):
      type(of: left) == type(of: right) && String(reflecting: left) == String(reflecting: right)
    default: false
    }
  }
}
