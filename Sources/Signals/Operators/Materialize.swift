extension Signal {
  /// Delivers every event as a value: each value, and finally the failure or the regular end.
  ///
  /// So a failure can be inspected, counted or stored without ending the downstream, and
  /// ``dematerialize(fileID:line:function:)`` turns it into a signal again.
  ///
  /// ![materialize, as a marble diagram](materialize)
  ///
  /// ```text
  /// source   -1-2-|
  ///          source.materialize()
  /// result   -x-y-(z|)
  /// x = value(1), y = value(2), z = finished
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let pages = Emitter<Int>()
  /// pages.signal
  ///   .flatMap { page in Signal.just("page \(page)").materialize() }
  ///   .subscribe { event in
  ///     switch event {
  ///     case .value(let text): print(text)
  ///     case .failed(let error): print("a page is missing: \(error)")
  ///     case .finished: print("a page is complete")
  ///     }
  ///   }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none: a failure of this signal becomes a value, and then the result finishes.
  /// - **Ends:** with this signal, always regularly, after the event for its end.
  /// - **Order and threads:** one event at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``subscribeToEvents(fileID:line:function:_:)``, which passes events to a closure, and ``Event``.
  @inlinable
  public func materialize(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Event<Value>> {
    lift(
      Site("materialize", behavior: [.passesOn, .runsNoClosure], fileID: fileID, line: line, function: function),
      state: ()
    ) { _, value, downstream in
      try downstream.send(.value(value))
    } end: { _, completion, downstream in
      try downstream.send(Event(completion))
      downstream.finish()
    }
  }
}
