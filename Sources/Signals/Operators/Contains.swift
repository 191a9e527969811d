extension Signal where Value: Equatable {
  /// Delivers whether there is a value that equals a given one.
  ///
  /// The answer comes as soon as it is known: `true` with the first such value, `false` at the end.
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
  /// - **Errors:** none of its own. After a failure no answer is delivered.
  /// - **Ends:** after the answer: with the first such value, and then leaves this signal; or with this signal.
  /// - **Order and threads:** the answer comes where this signal delivers what decides it.
  /// - **Allocations:** none for a value.
  /// - Parameter element: The value to look for.
  ///
  /// See also ``contains(fileID:line:function:where:)``.
  @inlinable
  public func contains(
    _ element: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Bool> {
    answer(true, Site("contains", behavior: .decides, fileID: fileID, line: line, function: function)) { $0 == element }
  }
}

extension Signal {
  /// Delivers whether there is a value that a closure accepts.
  ///
  /// The answer comes as soon as it is known: `true` with the first such value, `false` at the end.
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
  /// - **Errors:** an error that the closure throws fails the result. After a failure no answer is delivered.
  /// - **Ends:** after the answer: with the first such value, and then leaves this signal; or with this signal.
  /// - **Order and threads:** the answer comes where this signal delivers what decides it.
  /// - **Allocations:** none for a value.
  /// - Parameter isWanted: Whether a value is one to look for. Not called again after it has accepted a value.
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

  /// Delivers an answer and finishes, once a closure finds a value that decides; or the opposite at the regular end.
  @inlinable
  func answer(
    _ answer: Bool, _ site: Site, onceFound decides: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    let upstream = self
    return Signal<Bool>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
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
