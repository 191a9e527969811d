extension Signal {
  /// Replaces each failure by the result of a closure.
  ///
  /// ![mapError, as a marble diagram](mapError)
  ///
  /// ```text
  /// source   -a-#
  ///          source.mapError { _ in offline }
  /// result   -a-#
  /// # = offline
  /// ```
  ///
  /// ```swift
  /// struct LoadingFailed: Error {
  ///   var reason: any Error
  /// }
  /// struct NoConnection: Error {}
  /// let bag = DisposeBag()
  /// let news = Signal<String>.fail(NoConnection())
  /// news
  ///   .mapError { error in LoadingFailed(reason: error) }
  ///   .subscribe(onValue: { print($0) }, onFailure: { error in print(error) })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the error that the closure returns or throws. It is not called with errors of downstream.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal; the closure is called where the failure is delivered.
  /// - **Allocations:** none for a value.
  /// - Parameter transform: Computes the new failure from the old one.
  ///
  /// See also ``catch(fileID:line:function:_:)``, which continues after a failure, and
  /// ``replaceError(with:fileID:line:function:)``.
  @inlinable
  public func mapError(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (any Error) throws -> any Error
  ) -> Signal<Value> {
    lift(
      Site("mapError", behavior: [.passesOn, .atMostOne], fileID: fileID, line: line, function: function), state: ()
    ) { _, value, downstream in
      try downstream.send(value)
    } end: { _, completion, _ in
      if case .failed(let error) = completion { throw try transform(error) }
    }
  }
}
