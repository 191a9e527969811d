extension Signal {
  /// Delivers the first value, and then finishes.
  ///
  /// If this signal finishes without a value, so does the result.
  ///
  /// ![first, as a marble diagram](first)
  ///
  /// ```text
  /// source             ---a-b-|
  ///                    source.first()
  /// result             ---(a|)
  /// source subscribed  ^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let launches = Emitter<String>()
  /// launches.signal
  ///   .first()
  ///   .subscribe(onValue: { print("welcome, \($0)") }, onFinish: { print("no more") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** after the first value, and then unsubscribes; or without a value, with this signal.
  /// - **Order and threads:** the value and the end are delivered on the thread that delivers the value.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``first(fileID:line:function:where:)`` and ``prefix(_:fileID:line:function:)``.
  @inlinable
  public func first(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    first(Site("first", behavior: [.runsNoClosure, .endsByItself], fileID: fileID, line: line, function: function)) {
      _ in true
    }
  }

  /// Delivers the first value that meets a condition, and then finishes.
  ///
  /// If this signal finishes before, the result finishes without a value.
  ///
  /// ![first, as a marble diagram](first-where)
  ///
  /// ```text
  /// source             -1-5-2-7-|
  ///                    source.first { $0 > 3 }
  /// result             ---(5|)
  /// source subscribed  ^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Emitter<Double>()
  /// temperatures.signal
  ///   .first { $0 > 30 }
  ///   .subscribe { print("it is hot: \($0)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** after the value, and then unsubscribes; or without a value, with this signal.
  /// - **Order and threads:** the value and the end are delivered on the thread that delivers the value.
  /// - **Allocations:** none for a value.
  /// - Parameter isWanted: Whether a value meets the condition; not called after the first that does.
  ///
  /// See also ``first(fileID:line:function:)``, and ``last(fileID:line:function:where:)`` for the last one.
  @inlinable
  public func first(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    where isWanted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    first(Site("first(where:)", fileID: fileID, line: line, function: function), where: isWanted)
  }

  @inlinable
  func first(_ site: Site, where isWanted: @escaping @Sendable (Value) throws -> Bool) -> Signal<Value> {
    let upstream = self
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      junction.connect(upstream) { value in
        guard try isWanted(value) else { return }
        try junction.emit(value)
        junction.end(.finished)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
