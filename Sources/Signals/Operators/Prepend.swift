extension Signal {
  /// Delivers values first, when a subscription begins, and then everything else.
  @inlinable
  public func prepend(
    _ values: Value...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    prepend(contentsOf: values, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of a sequence first, when a subscription begins, and then everything else.
  @inlinable
  public func prepend<Values: Sequence & Sendable>(
    contentsOf values: Values,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Values.Element == Value {
    let upstream = self
    return Signal(site: Site("prepend", fileID, line, function), recorder: recorder) { downstream, subscription in
      for value in values {
        if subscription.isDisposed { return }
        do { try downstream.receive(value) } catch {
          return subscription.end(downstream, after: error)
        }
      }
      if !subscription.isDisposed { upstream.connect(downstream, subscription) }
    }
  }
}
