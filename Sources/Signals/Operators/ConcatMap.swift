extension Signal {
  /// Maps each value to a signal, and delivers these signals one after the other, each once the previous one has
  /// finished.
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
  /// It is ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` with `maxConcurrent: 1`, under the usual name in
  /// other libraries. Use it where order matters and each step has to finish before the next one begins: saving,
  /// uploading, animating.
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
  /// - **Errors:** fails with the first failure of this signal or of an inner one, and if the closure throws. Queued
  ///   values are dropped.
  /// - **Ends:** when this signal and every inner one have finished (law 16). A signal that never finishes blocks the
  ///   next one.
  /// - **Order and threads:** a value is delivered where its inner signal delivers it. An inner signal is subscribed to
  ///   where the previous one finishes; values it sends before that are missed.
  /// - **Allocations:** none for a value whose signal is a ``just(_:fileID:line:function:)``. Any other inner signal is
  ///   a separate subscription. Values are queued without a limit to their number.
  /// - Parameter transform: Returns the inner signal for a value. Not called before the value's turn.
  ///
  /// See also ``exhaustMap(fileID:line:function:_:)``, which drops values instead of queueing them,
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
