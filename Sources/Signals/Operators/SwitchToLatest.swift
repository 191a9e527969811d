extension Signal {
  /// Delivers the values of the newest of the signals that this signal delivers; the previous one is unsubscribed.
  ///
  /// ![switchToLatest, as a marble diagram](switchToLatest)
  ///
  /// ```text
  /// source        -a---b----|
  /// a             -1-2-3|
  /// b             -8-9|
  ///               source.map { $0 == "a" ? a : b }.switchToLatest()
  /// result        --1-2-8-9-|
  /// a subscribed  -^---!
  /// b subscribed  -----^---!
  /// ```
  ///
  /// Same as ``flatMapLatest(fileID:line:function:_:)`` for a signal whose values are signals already.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let (kitchen, garden) = (Property(21.0), Property(9.0))
  /// let shown = Property(kitchen.signal)
  /// shown.signal
  ///   .switchToLatest()
  ///   .subscribe { degrees in print("\(degrees) °C") }
  ///   .store(in: bag)
  /// shown.value = garden.signal
  /// ```
  ///
  /// - **Errors:** fails with the first failure of this signal or of the newest inner one.
  /// - **Ends:** when this signal and the newest inner one have finished.
  /// - **Order and threads:** a value is delivered where the inner signal delivers it, one at a time. After a newer
  ///   signal has come, no value of an older one is delivered, whatever its thread.
  /// - **Allocations:** an inner signal is a separate subscription, unless it is a ``just(_:fileID:line:function:)``.
  ///   None for a value.
  ///
  /// See also ``flatten(maxConcurrent:fileID:line:function:)``, which stays subscribed to the older ones.
  @inlinable
  public func switchToLatest<Inner: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Inner> where Value == Signal<Inner> {
    Signal<Inner>(
      Site("switchToLatest", behavior: [.runsInner, .replacesInner], fileID: fileID, line: line, function: function),
      sameAs: flatMapLatest { $0 })
  }
}
