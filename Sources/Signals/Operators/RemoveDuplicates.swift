extension Signal {
  /// Drops each value that a closure considers equal to the one before it.
  ///
  /// A value is compared with the last delivered one, not with dropped ones.
  ///
  /// ![removeDuplicates, as a marble diagram](removeDuplicates-by)
  ///
  /// ```text
  /// source   -2-3-4-6-7-|
  ///          source.removeDuplicates { $0 / 2 == $1 / 2 }
  /// result   -2---4-6---|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let positions = Emitter<(x: Double, y: Double)>()
  /// positions.signal
  ///   .removeDuplicates { abs($0.x - $1.x) < 1 && abs($0.y - $1.y) < 1 }
  ///   .subscribe { point in print("moved to \(point)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value. Each subscription stores the last delivered value.
  /// - Parameter areEqual: Whether the second argument, the new value, is dropped because it equals the first.
  ///
  /// See also ``removeDuplicates(fileID:line:function:)`` for values that are `Equatable`.
  @inlinable
  public func removeDuplicates(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by areEqual: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    withoutRepeats(
      Site(
        "removeDuplicates", behavior: [.passesOn, .atMostOne, .dropsRepeats], fileID: fileID, line: line,
        function: function), by: areEqual)
  }

  @inlinable
  func withoutRepeats(
    _ site: Site, by areEqual: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    unsafeLift(site) { downstream in
      let receive = downstream.receive
      let last = SerialState(Value?.none)
      return Observer(for: downstream) { value in
        if let previous = last.value, try areEqual(previous, value) { return }
        last.value = value
        try receive(value)
      }
    }
  }
}

extension Signal where Value: Equatable {
  /// Drops each value that equals the one before it.
  ///
  /// ![removeDuplicates, as a marble diagram](removeDuplicates)
  ///
  /// ```text
  /// source   -a-a-b-a-|
  ///          source.removeDuplicates()
  /// result   -a---b-a-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let isOnline = Emitter<Bool>()
  /// isOnline.signal
  ///   .removeDuplicates()
  ///   .subscribe { print($0 ? "online" : "offline") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value. Each subscription stores the last delivered value.
  ///
  /// See also ``removeDuplicates(fileID:line:function:by:)``, and ``Property/init(removingDuplicates:fileID:line:function:)``, which
  /// ignores such values when they are written.
  @inlinable
  public func removeDuplicates(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    withoutRepeats(
      Site(
        "removeDuplicates", behavior: [.passesOn, .atMostOne, .dropsRepeats, .runsNoClosure], fileID: fileID,
        line: line, function: function), by: ==)
  }
}
