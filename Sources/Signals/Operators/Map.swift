extension Signal {
  /// Delivers what a closure makes of each value. If the closure throws, the signal fails.
  @inlinable
  public func map<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Output
  ) -> Signal<Output> {
    stage(Site("map", fileID: fileID, line: line, function: function)) { place in
      place.put(try transform(place.take(Value.self)))
    }
  }
}
