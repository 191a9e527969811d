extension Signal {
  /// Replaces a failure by a value, and finishes.
  ///
  /// ![replaceError, as a marble diagram](replaceError-with)
  ///
  /// ```text
  /// source   -a-b-#
  ///          source.replaceError(with: "z")
  /// result   -a-b-(z|)
  /// ```
  ///
  /// ```swift
  /// struct NoConnection: Error {}
  /// let bag = DisposeBag()
  /// let price = Signal<Int?>.fail(NoConnection())
  /// price
  ///   .replaceError(with: nil)
  ///   .subscribe { print($0.map { "\($0) €" } ?? "not known") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none: a failure of this signal becomes the value. Errors thrown downstream are not replaced.
  /// - **Ends:** with this signal; after a failure with the value.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it; the
  ///   replacement is delivered where the failure is.
  /// - **Allocations:** none for a value.
  /// - Parameter replacement: The value to deliver instead of a failure.
  ///
  /// See also ``catch(fileID:line:function:_:)``, which continues with another signal, and
  /// ``retry(_:fileID:line:function:)``.
  @inlinable
  public func replaceError(
    with replacement: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let site = Site(
      "replaceError", behavior: [.passesOn, .runsNoClosure, .replacesFailure], fileID: fileID, line: line,
      function: function)
    return lift(site, state: ()) { _, value, downstream in
      try downstream.send(value)
    } end: { _, completion, downstream in
      guard case .failed = completion else { return }
      try downstream.send(replacement)
      downstream.finish()
    }
  }
}
