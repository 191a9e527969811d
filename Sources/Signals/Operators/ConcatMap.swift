extension Signal {
  /// Makes a signal of each value, and delivers them one after the other, each once the one before it has finished.
  ///
  /// ![concatMap, as a marble diagram](concatMap)
  ///
  /// ```text
  /// source        -a--b------|
  /// a             -1-2-3|
  /// b             -8-9|
  ///               source.concatMap { $0 == "a" ? a : b }
  /// result        --1-2-3-8-9|
  /// a subscribed  -^-----!
  /// b subscribed  -------^---!
  /// ```
  ///
  /// It is ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` with `maxConcurrent: 1`, under the name that other libraries have for it.
  /// Use it where order matters and each step has to be over before the next one begins: saving, uploading, animating.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let edits = Emitter<String>()
  /// edits.signal
  ///   .concatMap { text in
  ///     Signal.timer(after: .seconds(1), on: .main).map { "\(text) is saved" }
  ///   }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// for text in ["first", "second"] { edits.send(text) }
  /// ```
  ///
  /// - **Errors:** fails with the first failure of this signal or of an inner one, and when the closure throws. Values that wait are dropped.
  /// - **Ends:** when this signal and every inner one have finished (law 16). A signal that never finishes never lets the next one begin.
  /// - **Order and threads:** a value comes where its inner signal delivers it. An inner signal is subscribed to where the one before it
  ///   finishes; what it sends before that is missed.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal is a subscription of
  ///   its own. Values that wait for their turn are kept, without a limit to their number.
  /// - Parameter transform: Makes the inner signal of a value. Not called before its turn.
  ///
  /// See also ``exhaustMap(fileID:line:function:_:)``, which drops values instead of letting them wait,
  /// ``flatMapLatest(fileID:line:function:_:)`` and ``concat(_:fileID:line:function:)-method``.
  @inlinable
  public func concatMap<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Signal<Output>
  ) -> Signal<Output> {
    Signal<Output>(
      Site("concatMap", behavior: [.runsInner, .queuesInner], fileID: fileID, line: line, function: function),
      sameAs: flatMap(maxConcurrent: 1, transform))
  }
}
