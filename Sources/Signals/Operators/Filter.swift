extension Signal {
  /// Delivers only the values that a closure accepts. If the closure throws, the signal fails.
  @inlinable
  public func filter(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ isIncluded: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    stage(Site("filter", fileID: fileID, line: line, function: function)) { place in
      let value = place.take(Value.self)
      return try isIncluded(value) && place.put(value)
    }
  }
}
