extension Signal {
  /// Subscribes again when this signal fails, up to a number of times; the failure after that is passed on.
  ///
  /// - Parameter limit: How many times, or nil for ever. 0 or less passes the first failure on. A source that always fails at once, retried
  ///   for ever, never returns.
  @inlinable
  public func retry(
    _ limit: Int? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(Site("retry", fileID: fileID, line: line, function: function), derivedFrom: self) {
      downstream, subscription in
      let junction = Junction(downstream, subscription)
      let attempts = RetryAttempts(upstream: upstream, limit: limit, junction: junction)
      junction.run { attempts.connect() }
    }
  }
}

/// The attempts of one subscription.
///
/// A source that fails while it is being subscribed to is tried again after that, by the gate: so a million failures in a row need no stack.
@usableFromInline
struct RetryAttempts<Value: Sendable>: Sendable {
  private let upstream: Signal<Value>
  private let limit: Int?
  private let junction: Junction<Value>
  private let used = SerialState(0)

  @usableFromInline
  init(upstream: Signal<Value>, limit: Int?, junction: Junction<Value>) {
    self.upstream = upstream
    self.limit = limit
    self.junction = junction
  }

  @usableFromInline
  func connect() {
    junction.connectInside(upstream, as: .values) { value in
      try junction.emit(value)
    } end: { completion in
      guard case .failed = completion, limit.map({ used.value < $0 }) ?? true else { return junction.end(completion) }
      used.value += 1
      junction.run { connect() }
    }
  }
}
