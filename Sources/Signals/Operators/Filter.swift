extension Signal {
  /// Delivers only the values that a closure accepts.
  ///
  /// ![filter, as a marble diagram](filter)
  ///
  /// ```text
  /// source   -1-2-3-4-|
  ///          source.filter { $0.isMultiple(of: 2) }
  /// result   ---2---4-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let query = Property("")
  /// query.signal
  ///   .filter { !$0.isEmpty }
  ///   .subscribe { text in print("searching for \(text)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter isIncluded: Whether a value is delivered.
  ///
  /// See also ``compactMap(fileID:line:function:_:)`` and ``removeDuplicates(fileID:line:function:)``.
  @inlinable
  public func filter(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ isIncluded: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    stage(Site("filter", behavior: [.passesOn, .atMostOne, .filters], fileID: fileID, line: line, function: function)) {
      buffer in
      let value = buffer.take(Value.self)
      return try isIncluded(value) && buffer.put(value)
    }
  }
}
