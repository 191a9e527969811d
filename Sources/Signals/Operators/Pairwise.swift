extension Signal {
  /// Delivers each value together with the one before it.
  ///
  /// The first value alone delivers nothing. Each subscription pairs separately.
  ///
  /// ![pairwise, as a marble diagram](pairwise)
  ///
  /// ```text
  /// source   -1-2-5-|
  ///          source.pairwise()
  /// result   ---a-b-|
  /// a = (1, 2), b = (2, 5)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Emitter<Double>()
  /// temperatures.signal
  ///   .pairwise()
  ///   .map { before, now in now - before }
  ///   .subscribe { change in print("\(change) degrees warmer") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal; a single value is never delivered.
  /// - **Order and threads:** one pair at a time, in the order of this signal, on the thread that delivers the second value of the pair.
  /// - **Allocations:** none for a value. Each subscription stores the last value.
  ///
  /// See also ``scan(fileID:line:function:_:)``, which stores a result instead of the previous value.
  @inlinable
  public func pairwise(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Value)> {
    unsafeLift(
      Site(
        "pairwise", behavior: [.passesOn, .atMostOne, .keepsState, .runsNoClosure], fileID: fileID, line: line,
        function: function)
    ) { downstream in
      let receive = downstream.receive
      let last = SerialState(Value?.none)
      return Observer(for: downstream) { value in
        guard let previous = last.value else {
          last.value = value
          return
        }
        last.value = value
        try receive((previous, value))
      }
    }
  }
}
