extension Signal {
  /// Delivers only the values that a closure accepts. If the closure throws, the signal fails.
  @inlinable
  public func filter(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ isIncluded: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    lift(Site("filter", fileID, line, function)) { downstream in
      let receive = downstream.receive
      return Observer(for: downstream) { value in
        if try isIncluded(value) { try receive(value) }
      }
    }
  }
}
