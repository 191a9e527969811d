public import DequeModule

extension Signal {
  /// Delivers the last values, once this signal has finished.
  ///
  /// With a count of 0 or less, only this signal's end is delivered.
  ///
  /// ![suffix, as a marble diagram](suffix)
  ///
  /// ```text
  /// source   -a-b-c--|
  ///          source.suffix(2)
  /// result   --------(bc|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Emitter<String>()
  /// lines.signal
  ///   .suffix(10)
  ///   .subscribe { line in print(line) }
  ///   .store(in: bag)
  /// lines.finish()
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on at once; the values are dropped.
  /// - **Ends:** with this signal. The last values are delivered before the end.
  /// - **Order and threads:** everything is delivered on the thread that delivers the end, one value at a time, in the
  ///   order of this signal.
  /// - **Allocations:** none for a value, once the buffer has its size. Each subscription stores up to `count` values.
  /// - Parameter count: The maximum number of values to deliver.
  ///
  /// See also ``last(fileID:line:function:)`` and ``prefix(_:fileID:line:function:)``.
  @inlinable
  public func suffix(
    _ count: Int,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let site = Site("suffix", behavior: [.runsNoClosure, .emitsAtEnd], fileID: fileID, line: line, function: function)
    return lift(site, state: Deque<Value>()) { newest, value, _ in
      guard count > 0 else { return }
      if newest.count == count { newest.removeFirst() }
      newest.append(value)
    } end: { newest, completion, downstream in
      guard case .finished = completion else { return }
      while let value = newest.popFirst() { try downstream.send(value) }
    }
  }
}
