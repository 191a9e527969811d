extension Signal {
  /// Delivers a value before the end if there was none.
  ///
  /// ![replaceEmpty, as a marble diagram](replaceEmpty-with)
  ///
  /// ```text
  /// source   ---|
  ///          source.replaceEmpty(with: 7)
  /// result   ---(7|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let names = Signal.sequence(["tea", "milk"])
  /// names
  ///   .filter { $0.hasPrefix("x") }
  ///   .replaceEmpty(with: "nothing found")
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure the value is not delivered.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it; the
  ///   replacement is delivered where this signal finishes.
  /// - **Allocations:** none for a value.
  /// - Parameter replacement: The value to deliver.
  ///
  /// See also ``ifEmpty(switchTo:fileID:line:function:)``, which continues with another signal.
  @inlinable
  public func replaceEmpty(
    with replacement: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    lift(
      Site("replaceEmpty", behavior: [.passesOn, .runsNoClosure], fileID: fileID, line: line, function: function),
      state: true
    ) {
      isEmpty, value, downstream in
      isEmpty = false
      try downstream.send(value)
    } end: { isEmpty, completion, downstream in
      if isEmpty, case .finished = completion { try downstream.send(replacement) }
    }
  }
}
