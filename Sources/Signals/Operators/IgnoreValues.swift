extension Signal {
  /// Leaves out all values, and passes the end on.
  ///
  /// The result has no values at all, as its type says: `Never`. Where a signal of another type is asked for, it takes that type:
  /// `work.ignoreValues().concat(results)` is a signal of what `results` delivers.
  ///
  /// ![ignoreValues, as a marble diagram](ignoreValues)
  ///
  /// ```text
  /// source   -1-2-3-|
  ///          source.ignoreValues()
  /// result   -------|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let chunks = Emitter<[UInt8]>()
  /// chunks.signal
  ///   .ignoreValues()
  ///   .subscribe(onFailure: { error in print("not saved: \(error)") }, onFinish: { print("saved") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** the end comes where this signal delivers it. All values are taken; to leave a source early, see
  ///   ``prefix(_:fileID:line:function:)``.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``ignoreValues(as:fileID:line:function:)`` and ``filter(fileID:line:function:_:)``.
  @inlinable
  public func ignoreValues(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Never> {
    ignoreValues(as: Never.self, fileID: fileID, line: line, function: function)
  }

  /// Leaves out all values, and passes the end on; for places where a signal of another type is needed.
  ///
  /// It is ``ignoreValues(fileID:line:function:)``; the type need not be written where it is clear from what surrounds the call.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let upload = Emitter<Int>()
  /// let answer = Signal.just("thank you")
  /// upload.signal
  ///   .ignoreValues()
  ///   .concat(answer)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  ///
  /// let done = upload.signal.ignoreValues(as: String.self)
  /// done.merge(with: .never()).subscribe { print($0) }.store(in: bag)
  /// ```
  ///
  /// - Parameter type: The type of the values that the result could deliver, but does not.
  @inlinable
  @_disfavoredOverload
  public func ignoreValues<Output: Sendable>(
    as type: Output.Type = Output.self,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Output> {
    lift(
      Site("ignoreValues", behavior: .runsNoClosure, fileID: fileID, line: line, function: function),
      stateless: { _ in Output?.none })
  }
}
