extension Signal {
  /// Delivers the value at a position, counted from 0, and then finishes.
  ///
  /// Each subscription counts separately. If this signal finishes before that position, the result finishes without a
  /// value. With a negative position the result finishes at once, and this signal is not subscribed to.
  ///
  /// ![element, as a marble diagram](element-at)
  ///
  /// ```text
  /// source             -a-b-c-d-|
  ///                    source.element(at: 2)
  /// result             -----(c|)
  /// source subscribed  ^----!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let finishers = Emitter<String>()
  /// finishers.signal
  ///   .element(at: 1)
  ///   .subscribe { print("second place: \($0)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** after the value, and then unsubscribes; or without a value, with this signal.
  /// - **Order and threads:** the value and the end are delivered on the thread that delivers the value.
  /// - **Allocations:** none for a value.
  /// - Parameter index: The position: the number of values before the delivered one.
  ///
  /// See also ``first(fileID:line:function:)`` and ``last(fileID:line:function:)``.
  @inlinable
  public func element(
    at index: Int,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "element(at:)", behavior: [.runsNoClosure, .endsByItself], fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      guard index >= 0 else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let remaining = SerialState(index)
      junction.connect(upstream) { value in
        if remaining.value > 0 {
          remaining.value -= 1
          return
        }
        try junction.emit(value)
        junction.end(.finished)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
