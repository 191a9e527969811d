extension Signal {
  /// Delivers each value together with its number, counted from 0.
  ///
  /// Each subscription counts separately.
  ///
  /// ![enumerated, as a marble diagram](enumerated)
  ///
  /// ```text
  /// source   -7-5-7-|
  ///          source.enumerated()
  /// result   -x-y-z-|
  /// x = (offset: 0, element: 7), y = (offset: 1, element: 5), z = (offset: 2, element: 7)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Signal.sequence(["first", "second"])
  /// lines
  ///   .enumerated()
  ///   .subscribe { offset, text in print("line \(offset + 1): \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``scan(_:fileID:line:function:_:)`` and ``count(fileID:line:function:)``.
  @inlinable
  public func enumerated(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(offset: Int, element: Value)> {
    unsafeLift(
      Site(
        "enumerated", behavior: [.passesOn, .atMostOne, .runsNoClosure], fileID: fileID, line: line, function: function)
    ) { downstream in
      let receive = downstream.receive
      let count = SerialState(0)
      return Observer(for: downstream) { value in
        let offset = count.value
        count.value = offset &+ 1
        try receive((offset, value))
      }
    }
  }
}
