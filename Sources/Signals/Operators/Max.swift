extension Signal {
  /// Delivers the largest value at the end, by a custom order.
  ///
  /// Of several equally large values, the first one is delivered. Without a value, nothing is.
  ///
  /// ![max, as a marble diagram](max-by)
  ///
  /// ```text
  /// source   -4-1-3-|
  ///          source.max { abs($0 - 3) < abs($1 - 3) }
  /// result   -------(1|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let words = Signal.sequence(["tea", "coffee", "milk"])
  /// words
  ///   .max { $0.count < $1.count }
  ///   .subscribe { longest in print(longest) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no value is delivered.
  /// - **Ends:** with this signal, after the value.
  /// - **Order and threads:** the closure is called where this signal delivers a value; the result is delivered where
  ///   this signal finishes.
  /// - **Allocations:** none for a value. Each subscription stores the largest one.
  /// - Parameter areInIncreasingOrder: Whether the first argument, the largest value so far, is smaller than the
  ///   second, the new value.
  ///
  /// See also ``max(fileID:line:function:)`` for values that are `Comparable`, and ``min(fileID:line:function:by:)``.
  @inlinable
  public func max(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    best(
      Site("max", behavior: .emitsAtEnd, fileID: fileID, line: line, function: function), isBetter: areInIncreasingOrder
    )
  }
}

extension Signal where Value: Comparable {
  /// Delivers the largest value at the end.
  ///
  /// Of several equally large values, the first one is delivered. Without a value, nothing is.
  ///
  /// ![max, as a marble diagram](max)
  ///
  /// ```text
  /// source   -1-4-3-|
  ///          source.max()
  /// result   -------(4|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Signal.sequence([18.5, 21, 17])
  /// temperatures
  ///   .max()
  ///   .subscribe { warmest in print("at most \(warmest) degrees") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure no value is delivered.
  /// - **Ends:** with this signal, after the value.
  /// - **Order and threads:** the value is delivered where this signal finishes.
  /// - **Allocations:** none for a value. Each subscription stores the largest one.
  ///
  /// See also ``max(fileID:line:function:by:)``, ``min(fileID:line:function:)``, and ``scan(fileID:line:function:_:)``:
  /// `scan(max)` delivers the largest value so far.
  @inlinable
  public func max(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    best(Site("max", behavior: [.runsNoClosure, .emitsAtEnd], fileID: fileID, line: line, function: function)) {
      old, new in old < new
    }
  }
}
