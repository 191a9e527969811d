extension Signal {
  /// Delivers the elements of a sequence to each subscriber, at once, and finishes. The sequence may be endless: it is read only as far as
  /// the subscriber takes values.
  @inlinable
  public static func sequence<Elements: Sequence & Sendable>(
    _ elements: Elements,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Elements.Element == Value {
    source(Site("sequence", fileID, line, function)) { observer, subscription in
      if subscription.isDisposed { return }
      for element in elements {
        do { try observer.receive(element) } catch {
          return subscription.end(observer, after: error)
        }
        // Before the next element is read, which may take for ever.
        if subscription.isDisposed { return }
      }
      subscription.end(observer, .finished)
    }
  }
}
