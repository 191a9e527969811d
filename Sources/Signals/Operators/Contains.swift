extension Signal where Value: Equatable {
  /// Delivers whether any value equals a given one.
  ///
  /// The result is delivered as soon as it is known: `true` with the first such value, `false` at the end.
  ///
  /// ![contains, as a marble diagram](contains)
  ///
  /// ```text
  /// source             -1-2-3-|
  ///                    source.contains(2)
  /// result             ---(x|)
  /// source subscribed  ^--!
  /// x = true
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let orders = Signal.sequence(["milk", "tea"])
  /// orders
  ///   .contains("tea")
  ///   .subscribe { isWanted in print(isWanted ? "boil some water" : "no tea today") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure no value is delivered.
  /// - **Ends:** after the result: with the first such value, and then unsubscribes; or with this signal.
  /// - **Order and threads:** the result is delivered where the deciding event is.
  /// - **Allocations:** none for a value.
  /// - Parameter element: The value to look for.
  ///
  /// See also ``contains(fileID:line:function:where:)``.
  @inlinable
  public func contains(
    _ element: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Bool> {
    answer(
      true, Site("contains", behavior: [.runsNoClosure, .decides], fileID: fileID, line: line, function: function)
    ) { $0 == element }
  }
}

extension Signal {
  /// Delivers whether a closure accepts any value.
  ///
  /// The result is delivered as soon as it is known: `true` with the first such value, `false` at the end.
  ///
  /// ![contains, as a marble diagram](contains-where)
  ///
  /// ```text
  /// source             -1-2-3-|
  ///                    source.contains { $0 > 3 }
  /// result             -------(x|)
  /// source subscribed  ^------!
  /// x = false
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Signal.sequence([18.5, 21, 17])
  /// temperatures
  ///   .contains { $0 > 20 }
  ///   .subscribe { wasWarm in print(wasWarm) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no value is delivered.
  /// - **Ends:** after the result: with the first such value, and then unsubscribes; or with this signal.
  /// - **Order and threads:** the result is delivered where the deciding event is.
  /// - **Allocations:** none for a value.
  /// - Parameter isWanted: Whether a value matches. Not called again after it has accepted a value.
  ///
  /// See also ``anySatisfy(fileID:line:function:_:)``, which is the same, and ``allSatisfy(fileID:line:function:_:)``.
  @inlinable
  public func contains(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    where isWanted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    answer(
      true, Site("contains", behavior: .decides, fileID: fileID, line: line, function: function), onceFound: isWanted)
  }

  /// Delivers a result and finishes once a closure accepts a deciding value; delivers the opposite at the regular end.
  @inlinable
  func answer(
    _ answer: Bool, _ site: Site, onceFound decides: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    let upstream = self
    return Signal<Bool>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      junction.connect(upstream) { value in
        guard try decides(value) else { return }
        try junction.emit(answer)
        junction.end(.finished)
      } end: { completion in
        if case .finished = completion { junction.attempt { try junction.emit(!answer) } }
        junction.end(completion)
      }
    }
  }
}
