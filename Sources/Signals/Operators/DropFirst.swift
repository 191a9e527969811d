extension Signal {
  /// Drops the first values, and delivers all that follow.
  ///
  /// Each subscription counts separately.
  ///
  /// ![dropFirst, as a marble diagram](dropFirst)
  ///
  /// ```text
  /// source   -a-b-c-d-|
  ///          source.dropFirst(2)
  /// result   -----c-d-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Signal.sequence(["name;price", "tea;3", "milk;1"])
  /// lines
  ///   .dropFirst()
  ///   .subscribe { row in print(row) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter count: The number of values to drop. A negative count counts as 0.
  ///
  /// See also ``prefix(_:fileID:line:function:)``, and ``Property/changes``, which drops the current value.
  @inlinable
  public func dropFirst(
    _ count: Int = 1,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(
      Site(
        "dropFirst", behavior: [.passesOn, .atMostOne, .dropsFirst, .runsNoClosure], fileID: fileID, line: line,
        function: function)
    ) { downstream in
      let receive = downstream.receive
      let remaining = SerialState(count)
      return Observer(for: downstream) { value in
        if remaining.value > 0 {
          remaining.value -= 1
        } else {
          try receive(value)
        }
      }
    }
  }
}
