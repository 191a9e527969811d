extension Signal {
  /// Delivers whether a closure accepts at least one value.
  ///
  /// The result is delivered as soon as it is known: `true` with the first accepted value, `false` at the end, even if
  /// there was no value.
  ///
  /// ![anySatisfy, as a marble diagram](anySatisfy-2)
  ///
  /// ```text
  /// source             -1-2-3-|
  ///                    source.anySatisfy { $0 > 1 }
  /// result             ---(x|)
  /// source subscribed  ^--!
  /// x = true
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let answers = Signal.sequence(["no", "yes", "no"])
  /// answers
  ///   .anySatisfy { $0 == "yes" }
  ///   .subscribe { hasFriends in print(hasFriends) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no value is delivered.
  /// - **Ends:** after the result: with the first accepted value, and then unsubscribes; or with this signal.
  /// - **Order and threads:** the result is delivered where the deciding event is.
  /// - **Allocations:** none for a value.
  /// - Parameter isAccepted: Whether a value is accepted. Not called again after it has accepted one.
  ///
  /// See also ``contains(fileID:line:function:where:)``, which is the same, ``allSatisfy(fileID:line:function:_:)``, and
  /// ``anySatisfy(_:fileID:line:function:)`` for the latest values of several signals.
  @inlinable
  public func anySatisfy(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ isAccepted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    answer(
      true, Site("anySatisfy", behavior: .decides, fileID: fileID, line: line, function: function),
      onceFound: isAccepted)
  }
}
