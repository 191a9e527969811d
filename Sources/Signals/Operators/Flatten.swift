extension Signal {
  /// Delivers the values of all the signals that this signal delivers, as they are sent.
  ///
  /// ![flatten, as a marble diagram](flatten-maxConcurrent)
  ///
  /// ```text
  /// source   -a--b-----|
  /// a        -1-2-3|
  /// b        -8-9|
  ///          source.map { $0 == "a" ? a : b }.flatten()
  /// result   --1-2839--|
  ///
  ///          source.map { $0 == "a" ? a : b }.flatten(maxConcurrent: 1)
  /// result   --1-2-3-8-9|
  /// ```
  ///
  /// Same as ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)`` for a signal whose values are signals already.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let downloads = Emitter<Signal<String>>()
  /// downloads.signal
  ///   .flatten(maxConcurrent: 2)
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// for name in ["one", "two", "three"] {
  ///   downloads.send(Signal.timer(after: .seconds(1), on: .main).map { "\(name) is loaded" })
  /// }
  /// ```
  ///
  /// - **Errors:** fails with the first failure of this signal or of any inner one. All others are then unsubscribed.
  /// - **Ends:** when this signal and every inner one have finished (law 16).
  /// - **Order and threads:** a value is delivered where its inner signal delivers it, one at a time. Inner signals
  ///   begin in the order in which they come.
  /// - **Allocations:** an inner signal is a separate subscription, unless it is a ``just(_:fileID:line:function:)``.
  ///   None for a value. Signals are queued without a limit to their number.
  /// - Parameter maxConcurrent: The number of inner signals that run at the same time; further ones are queued. 1
  ///   delivers them one after the other. Less than 1 counts as 1.
  ///
  /// See also ``switchToLatest(fileID:line:function:)`` and ``merge(with:fileID:line:function:)``.
  @inlinable
  public func flatten<Inner: Sendable>(
    maxConcurrent: Int = .max,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Inner> where Value == Signal<Inner> {
    Signal<Inner>(
      Site("flatten", behavior: .runsInner, fileID: fileID, line: line, function: function),
      sameAs: flatMap(maxConcurrent: maxConcurrent) { $0 })
  }
}
