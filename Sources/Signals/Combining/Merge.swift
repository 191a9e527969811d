/// Delivers the values of all signals, as they come. Finishes after all have finished; fails with the first failure.
@inlinable
public func merge<Value: Sendable>(
  _ signals: Signal<Value>...,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Value> {
  Signal.merge(signals, fileID: fileID, line: line, function: function)
}

extension Signal {
  /// Delivers the values of this signal and of others, as they come. Finishes after all have finished; fails with the first failure.
  ///
  /// `a.merge(with: b).merge(with: c)` is one operator, at the place of the last call; so a long row may be built one call at a time.
  @inlinable
  public func merge(
    with others: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.merge([self] + others, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of all signals, as they come. Finishes after all have finished; fails with the first failure.
  @inlinable
  public static func merge(
    _ signals: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.merge(signals, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of all signals, as they come. Finishes after all have finished, at once if there are none; fails with the first
  /// failure.
  @inlinable
  public static func merge(
    _ signals: [Signal<Value>],
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let row = SignalParts(.merge, signals) { row, downstream, subscription in
      let signals = row.flattened
      guard !signals.isEmpty else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription)
      let remaining = SerialState(signals.count)
      for signal in signals {
        junction.connect(signal) { value in
          try junction.emit(value)
        } end: { completion in
          remaining.value -= 1
          if case .failed = completion { return junction.end(completion) }
          if remaining.value == 0 { junction.end(.finished) }
        }
      }
    }
    return Signal(Site("merge", fileID: fileID, line: line, function: function), parts: row)
  }
}
