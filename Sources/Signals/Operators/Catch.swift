extension Signal {
  /// Continues with another signal when this one fails.
  ///
  /// A failure of the replacement fails the result; it is not replaced in turn.
  ///
  /// ![catch, as a marble diagram](catch)
  ///
  /// ```text
  /// source            -a-#
  /// other             -1-2-|
  ///                   source.catch { _ in other }
  /// result            -a--1-2-|
  /// other subscribed  ---^----!
  /// ```
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let bag = DisposeBag()
  /// let news = Signal<String>.fail(Offline())
  /// news
  ///   .catch { error in .just("old news, because of \(error)") }
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of the replacement.
  /// - **Ends:** with this signal, or with the replacement.
  /// - **Order and threads:** the replacement is subscribed to where the failure is delivered; from then on values are
  ///   delivered where it delivers them.
  /// - **Allocations:** none for a value.
  /// - Parameter replacement: Returns the signal to continue with, or throws. Return `.empty()` to finish instead.
  ///
  /// See also ``retry(_:fileID:line:function:)`` and ``timeout(after:on:fallback:fileID:line:function:)``.
  @inlinable
  public func `catch`(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ replacement: @escaping @Sendable (any Error) throws -> Signal<Value>
  ) -> Signal<Value> {
    let upstream = self
    return Signal(
      Site("catch", behavior: [.passesOn, .replacesFailure], fileID: fileID, line: line, function: function),
      derivedFrom: self
    ) {
      downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      junction.connect(upstream) { value in
        try junction.emit(value)
      } end: { completion in
        guard case .failed(let error) = completion else { return junction.end(completion) }
        junction.attempt {
          junction.connectInside(try replacement(error)) { value in
            try junction.emit(value)
          } end: { completion in
            junction.end(completion)
          }
        }
      }
    }
  }
}
