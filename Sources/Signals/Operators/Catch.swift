extension Signal {
  /// Continues with another signal when this one fails. If the closure throws, the result fails with that error.
  @inlinable
  public func `catch`(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ replacement: @escaping @Sendable (any Error) throws -> Signal<Value>
  ) -> Signal<Value> {
    let upstream = self
    return Signal(Site("catch", fileID: fileID, line: line, function: function), derivedFrom: self) {
      downstream, subscription in
      let junction = Junction(downstream, subscription)
      junction.connect(upstream) { value in
        try junction.emit(value)
      } end: { completion in
        guard case .failed(let error) = completion else { return junction.end(completion) }
        junction.attempt {
          junction.connectInside(try replacement(error)) { value in
            try junction.emit(value)
          } end: { completion in
            junction.end(completion)
          }
        }
      }
    }
  }
}
