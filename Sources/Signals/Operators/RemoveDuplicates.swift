extension Signal {
  /// Leaves out each value that a closure calls equal to the one before it. If the closure throws, the signal fails.
  @inlinable
  public func removeDuplicates(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by areEqual: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    unsafeLift(Site("removeDuplicates", fileID: fileID, line: line, function: function)) { downstream in
      let receive = downstream.receive
      let last = SerialState(Value?.none)
      return Observer(for: downstream) { value in
        if let previous = last.value, try areEqual(previous, value) { return }
        last.value = value
        try receive(value)
      }
    }
  }
}

extension Signal where Value: Equatable {
  /// Leaves out each value that equals the one before it.
  @inlinable
  public func removeDuplicates(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    removeDuplicates(fileID: fileID, line: line, function: function, by: ==)
  }
}
