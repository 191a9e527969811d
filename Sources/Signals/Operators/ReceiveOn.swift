extension Signal {
  /// Delivers everything on a scheduler, one event at a time, in the same order.
  ///
  /// Values, a failure and the end run on the scheduler, never on the sender's thread, in everything directly below: down to the next operator
  /// that has another input, such as `merge` or `combineLatest`, and to the next that hands values to several subscribers, such as `share`.
  /// Beyond that, a value is delivered wherever the input that it came from delivers it (law 14). So put the hop last:
  ///
  /// ```swift
  /// let results = query.combineLatest(settings).map(search)
  ///   .receive(on: .main)
  /// ```
  ///
  /// Only `.immediate`, and `.mainImmediate` for a sender on the main queue, may deliver inside `send`. What a handler sends comes after the
  /// value that is being handled.
  ///
  /// Values that come faster than the scheduler runs work wait; there is no limit to their number. One piece of work delivers all that wait when
  /// it begins. After the subscription was disposed, nothing that is still on its way is delivered (law 7).
  ///
  /// - Parameter scheduler: Where everything is delivered.
  /// - Complexity: O(1) amortised for each value, without an allocation; one piece of work for each batch.
  @inlinable
  public func receive(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("receive(on:)", fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let hop = Hop(to: junction, on: scheduler)
      junction.connectOutside(upstream) { value in
        hop.send(.value(value))
      } end: { completion in
        hop.send(Event(completion))
      }
    }
  }
}
