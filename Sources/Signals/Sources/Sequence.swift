extension Signal {
  /// Delivers the elements of a sequence to each subscriber, at once, and finishes. The sequence may be endless: it is read only as far as
  /// the subscriber takes values.
  @inlinable
  public static func sequence<Elements: Sequence & Sendable>(
    _ elements: Elements,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Elements.Element == Value {
    Signal(Site("sequence", fileID: fileID, line: line, function: function)) { observer, subscription in
      for element in elements {
        if subscription.isDisposed { return }
        do { try observer.receive(element) } catch {
          return subscription.end(observer, after: error)
        }
      }
      subscription.end(observer, .finished)
    }
  }
}
