extension Signal {
  /// Drops values as long as they meet a condition, and delivers the first that does not, and all after it.
  ///
  /// ![drop, as a marble diagram](drop-while)
  ///
  /// ```text
  /// source   -1-2-5-2-|
  ///          source.drop { $0 < 3 }
  /// result   -----5-2-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Signal.sequence(["# a comment", "# another", "name;price", "tea;3"])
  /// lines
  ///   .drop { $0.hasPrefix("#") }
  ///   .subscribe { row in print(row) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter isUnwanted: Whether a value is dropped; not called after the first that is not.
  ///
  /// See also ``filter(fileID:line:function:_:)``, which checks every value, and
  /// ``dropFirst(_:fileID:line:function:)``.
  @inlinable
  public func drop(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    while isUnwanted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    unsafeLift(
      Site(
        "drop(while:)", behavior: [.passesOn, .atMostOne, .dropsFirst], fileID: fileID, line: line, function: function)
    ) { downstream in
      let receive = downstream.receive
      let isDropping = SerialState(true)
      return Observer(for: downstream) { value in
        if isDropping.value {
          if try isUnwanted(value) { return }
          isDropping.value = false
        }
        try receive(value)
      }
    }
  }
}
