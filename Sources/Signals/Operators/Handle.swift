extension Signal {
  /// Calls closures when things pass, and passes everything on unchanged.
  ///
  /// - Parameters:
  ///   - onSubscribe: Called when a subscription begins, before it reaches the source.
  ///   - onValue: Called with each value, before it is passed on. If it throws, the signal fails.
  ///   - onFailure: Called with the failure of what is above, before it is passed on.
  ///   - onFinish: Called at the regular end, before it is passed on.
  @inlinable
  public func handle(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onValue: (@Sendable (Value) throws -> Void)? = nil,
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onFinish: (@Sendable () -> Void)? = nil
  ) -> Signal<Value> {
    unsafeLift(Site("handle", fileID: fileID, line: line, function: function)) { downstream in
      onSubscribe?()
      return Observer(for: downstream) { value in
        do {
          try onValue?(value)
        } catch {
          throw downstream.stop(after: error)
        }
        try downstream.deliver(value)
      } end: { completion in
        switch completion {
        case .finished: onFinish?()
        case .failed(let error): onFailure?(error)
        }
        downstream.end(completion)
      }
    }
  }

  /// Calls a closure with each value, and passes everything on unchanged. If the closure throws, the signal fails.
  @inlinable
  public func handle(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Value) throws -> Void
  ) -> Signal<Value> {
    stage(Site("handle", fileID: fileID, line: line, function: function)) { place in
      let value = place.take(Value.self)
      try onValue(value)
      return place.put(value)
    }
  }
}
