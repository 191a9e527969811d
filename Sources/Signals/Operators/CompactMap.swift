extension Signal {
  /// Delivers the results of a closure that are not `nil`.
  ///
  /// ![compactMap, as a marble diagram](compactMap)
  ///
  /// ```text
  /// source   -1-x-3-|
  ///          source.compactMap { Int($0) }
  /// result   -1---3-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Emitter<String>()
  /// lines.signal
  ///   .compactMap { Int($0) }
  ///   .subscribe { number in print(number + 1) }
  ///   .store(in: bag)
  /// lines.send("41")
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter transform: Computes a new value, or returns `nil` to drop the value.
  ///
  /// See also ``map(fileID:line:function:_:)`` and ``filter(fileID:line:function:_:)``.
  @inlinable
  public func compactMap<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) throws -> Output?
  ) -> Signal<Output> {
    lift(
      Site(
        "compactMap", behavior: [.passesOn, .atMostOne, .filters, .transforms], fileID: fileID, line: line,
        function: function), stateless: transform)
  }
}
