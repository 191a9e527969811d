extension Signal {
  /// Delivers the result of a closure for each value.
  ///
  /// ![map, as a marble diagram](map)
  ///
  /// ```text
  /// source   -1-2-3-|
  ///          source.map { $0 * 2 }
  /// result   -2-4-6-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let celsius = Property(21.5)
  /// celsius.signal
  ///   .map { "\($0 * 9 / 5 + 32) °F" }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter transform: Computes a new value. It may be called from any thread, one call at a time for each
  ///   subscription.
  ///
  /// See also ``compactMap(fileID:line:function:_:)``, ``scan(_:fileID:line:function:_:)`` and
  /// ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)``.
  @inlinable
  public func map<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Output
  ) -> Signal<Output> {
    stage(Site("map", behavior: [.passesOn, .atMostOne, .transforms], fileID: fileID, line: line, function: function)) {
      buffer in
      buffer.put(try transform(buffer.take(Value.self)))
    }
  }
}
