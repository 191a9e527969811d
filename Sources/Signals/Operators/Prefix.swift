extension Signal {
  /// Delivers the first values and then finishes, together with the last of them. Counted for each subscription.
  ///
  /// With a count of 0 or less it finishes at once and does not subscribe upstream (law 16).
  @inlinable
  public func prefix(
    _ count: Int,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(Site("prefix", fileID: fileID, line: line, function: function), derivedFrom: self) {
      downstream, subscription in
      guard count > 0 else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription)
      let remaining = SerialState(count)
      junction.connect(upstream) { value in
        remaining.value -= 1
        let isLast = remaining.value == 0
        try junction.emit(value)
        if isLast { junction.end(.finished) }
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
