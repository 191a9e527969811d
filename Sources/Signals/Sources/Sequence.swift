extension Signal {
  /// Delivers the elements of a sequence to each subscriber, and finishes, all inside subscribe.
  ///
  /// The sequence may be endless: it is read only as far as the subscriber takes values.
  ///
  /// ![sequence, as a marble diagram](sequence)
  ///
  /// ```text
  ///          Signal.sequence(1...3)
  /// result   {123|}
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Signal.sequence(1...)
  ///   .map { $0 * $0 }
  ///   .prefix(3)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Ends:** after the last element.
  /// - **Order and threads:** in the order of the sequence, on the subscribing thread. `subscribe` returns only after
  ///   the last element, so an endless sequence needs an operator below it that ends, such as
  ///   ``prefix(_:fileID:line:function:)``. That does not help above an operator that needs a further input (its page
  ///   says so under "Endless inputs"), nor above a hop to a scheduler, where the values are queued.
  /// - **Allocations:** none for an element.
  /// - Parameter elements: The sequence. Each subscription reads it from the beginning, if it can be read more than
  ///   once.
  /// - Complexity: O(*n*) for a subscription, in the number of elements that are taken.
  ///
  /// See also ``just(_:fileID:line:function:)`` and ``prepend(contentsOf:fileID:line:function:)``.
  @inlinable
  public static func sequence<Elements: Sequence & Sendable>(
    _ elements: Elements,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> where Elements.Element == Value {
    Signal(Site("sequence", behavior: .cannotFail, fileID: fileID, line: line, function: function)) {
      observer, subscription in
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
