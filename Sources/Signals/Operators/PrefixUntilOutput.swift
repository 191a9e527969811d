extension Signal {
  /// Delivers values until another signal delivers its first value, and then finishes.
  ///
  /// The other signal is subscribed to first. If it fails, the result fails; if it finishes without a value, nothing happens.
  @inlinable
  public func prefix<Trigger>(
    untilOutputFrom trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("prefix(untilOutputFrom:)", fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      junction.connect(trigger, as: .trigger) { _ in
        junction.end(.finished)
      } end: { completion in
        if case .failed = completion { junction.end(completion) }
      }
      junction.connect(upstream) { value in
        try junction.emit(value)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
