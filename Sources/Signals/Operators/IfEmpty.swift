extension Signal {
  /// Continues with another signal if this one finishes without a value.
  ///
  /// ![ifEmpty, as a marble diagram](ifEmpty-switchTo)
  ///
  /// ```text
  /// source            ---|
  /// other             -1-2-|
  ///                   source.ifEmpty(switchTo: other)
  /// result            ----1-2-|
  /// other subscribed  ---^----!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let cached = Signal<String>.empty()
  /// let loaded = Signal.just("fresh from the server")
  /// cached
  ///   .ifEmpty(switchTo: loaded)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first failure of this signal or of the other one. After a failure of this signal the
  ///   other one is not subscribed to.
  /// - **Ends:** with this signal if it has delivered a value, otherwise with the other one.
  /// - **Order and threads:** the other signal is subscribed to where this one finishes; from then on values are
  ///   delivered where it delivers them.
  /// - **Allocations:** none for a value.
  /// - Parameter replacement: The signal to continue with.
  ///
  /// See also ``replaceEmpty(with:fileID:line:function:)`` for a single value, and
  /// ``concat(_:fileID:line:function:)-method``, which always continues.
  @inlinable
  public func ifEmpty(
    switchTo replacement: Signal<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(
      Site("ifEmpty", behavior: .passesOn, fileID: fileID, line: line, function: function), derivedFrom: self
    ) {
      downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let isEmpty = SerialState(true)
      junction.connect(upstream) { value in
        isEmpty.value = false
        try junction.emit(value)
      } end: { completion in
        guard isEmpty.value, case .finished = completion else { return junction.end(completion) }
        junction.connectInside(replacement) { value in
          try junction.emit(value)
        } end: { completion in
          junction.end(completion)
        }
      }
    }
  }
}
