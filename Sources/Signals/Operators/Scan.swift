extension Signal {
  /// Combines each value with the result so far, and delivers the new result. If the closure throws, the signal fails.
  ///
  /// The initial result itself is not delivered. Each subscription begins anew.
  @inlinable
  public func scan<Output: Sendable>(
    _ initial: Output,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ next: @escaping @Sendable (Output, Value) throws -> Output
  ) -> Signal<Output> {
    unsafeLift(Site("scan", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let result = SerialState(initial)
      return Observer(for: downstream) { value in
        result.value = try next(result.value, value)
        try receive(result.value)
      }
    }
  }

  /// Delivers the first value, and then each value combined with the result so far. If the closure throws, the signal fails.
  @inlinable
  public func scan(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ next: @escaping @Sendable (Value, Value) throws -> Value
  ) -> Signal<Value> {
    unsafeLift(Site("scan", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let result = SerialState(Value?.none)
      return Observer(for: downstream) { value in
        let output = if let previous = result.value { try next(previous, value) } else { value }
        result.value = output
        try receive(output)
      }
    }
  }
}
