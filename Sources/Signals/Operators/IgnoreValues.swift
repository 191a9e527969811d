extension Signal {
  /// Drops all values and passes on the end.
  ///
  /// The result has no values, as its type says: `Never`. Where a signal of another type is expected, it takes that
  /// type: `work.ignoreValues().concat(results)` delivers the values of `results`.
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
  /// - **Order and threads:** the end is delivered where this signal delivers it. All values are taken; to unsubscribe
  ///   early, see ``prefix(_:fileID:line:function:)``.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``ignoreValues(as:fileID:line:function:)`` and ``filter(fileID:line:function:_:)``.
  @inlinable
  public func ignoreValues(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Never> {
    ignoreValues(as: Never.self, fileID: fileID, line: line, function: function)
  }

  /// Drops all values and passes on the end; for places where a signal of another type is needed.
  ///
  /// Same as ``ignoreValues(fileID:line:function:)``; the type may be omitted where it can be inferred.
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
  /// - Parameter type: The nominal type of the values; none is delivered.
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
