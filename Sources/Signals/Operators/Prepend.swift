extension Signal {
  /// Delivers values first, when a subscription begins, and then everything else.
  @inlinable
  public func prepend(
    _ values: Value...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    prepend(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// The same as ``prepend(contentsOf:fileID:line:function:)``, unless the sequence is itself a value of this signal.
  @inlinable
  @_disfavoredOverload
  public func prepend<Values: Sequence & Sendable>(
    _ values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    prepend(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of a sequence first, when a subscription begins, and then everything else.
  ///
  /// `a.prepend(2).prepend(1)` is one operator, at the place of the last call; so a long row may be built one call at a time.
  @inlinable
  public func prepend<Values: Sequence & Sendable>(
    contentsOf values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    let site = Site("prepend", fileID, line, function)
    // Not a signal to connect alone: it delivers, but never ends.
    let first = Signal(site: .hidden, recorder: recorder) { downstream, subscription in
      if subscription.isDisposed { return }
      for value in values {
        do { try downstream.receive(value) } catch {
          return subscription.end(downstream, after: error)
        }
        // Before the next value is read, which may take for ever.
        if subscription.isDisposed { return }
      }
    }
    let row = SignalParts(.prepend, [first, self]) { row, downstream, subscription in
      let signals = row.flattened
      for first in signals.dropLast() {
        first.attach(downstream, subscription)
        if subscription.isDisposed { return }
      }
      signals.last?.connect(downstream, subscription)
    }
    return Signal(site: site, recorder: recorder, parts: row)
  }
}
