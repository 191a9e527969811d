extension Signal {
  /// Delivers whether a closure accepts all values.
  ///
  /// The result is delivered as soon as it is known: `false` with the first rejected value, `true` at the end, even if
  /// there was no value.
  ///
  /// ![allSatisfy, as a marble diagram](allSatisfy-2)
  ///
  /// ```text
  /// source             -1-2-3-|
  ///                    source.allSatisfy { $0 < 2 }
  /// result             ---(x|)
  /// source subscribed  ^--!
  /// x = false
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let answers = Signal.sequence(["yes", "no", "yes"])
  /// answers
  ///   .allSatisfy { $0 == "yes" }
  ///   .subscribe { isAgreed in print(isAgreed ? "agreed" : "not agreed") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no value is delivered.
  /// - **Ends:** after the result: with the first rejected value, and then unsubscribes; or with this signal.
  /// - **Order and threads:** the result is delivered where the deciding event is.
  /// - **Allocations:** none for a value.
  /// - Parameter isAccepted: Whether a value is accepted. Not called again after it has rejected one.
  ///
  /// See also ``anySatisfy(fileID:line:function:_:)``, and ``allSatisfy(_:fileID:line:function:)`` for the latest values of several signals.
  @inlinable
  public func allSatisfy(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ isAccepted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    answer(false, Site("allSatisfy", behavior: .decides, fileID: fileID, line: line, function: function)) {
      try !isAccepted($0)
    }
  }
}
