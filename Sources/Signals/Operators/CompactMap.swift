extension Signal {
  /// Delivers what a closure makes of each value, leaving out nil. If the closure throws, the signal fails.
  @inlinable
  public func compactMap<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Output?
  ) -> Signal<Output> {
    lift(Site("compactMap", fileID: fileID, line: line, function: function), stateless: transform)
  }
}
