extension Signal {
  /// Counts the values, and delivers their number at the end.
  ///
  /// Each subscription counts separately.
  ///
  /// ![count, as a marble diagram](count)
  ///
  /// ```text
  /// source   -a-b-c-|
  ///          source.count()
  /// result   -------(3|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Signal.sequence(["tea", "milk"])
  /// lines
  ///   .count()
  ///   .subscribe { number in print("\(number) lines") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own. After a failure no number is delivered.
  /// - **Ends:** with this signal, after the number.
  /// - **Order and threads:** the number is delivered where this signal finishes.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``count(fileID:line:function:where:)``, and ``enumerated(fileID:line:function:)``, which numbers the values as they come.
  @inlinable
  public func count(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Int> {
    lift(
      Site("count", behavior: [.runsNoClosure, .emitsAtEnd], fileID: fileID, line: line, function: function), state: 0
    ) {
      count, _, _ in
      count &+= 1
    } end: { count, completion, downstream in
      if case .finished = completion { try downstream.send(count) }
    }
  }

  /// Counts the values that a closure accepts, and delivers their number at the end.
  ///
  /// Each subscription counts separately.
  ///
  /// ![count, as a marble diagram](count-where)
  ///
  /// ```text
  /// source   -1-2-4-|
  ///          source.count { $0.isMultiple(of: 2) }
  /// result   -------(2|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Signal.sequence(["tea", "", "milk"])
  /// lines
  ///   .count(where: \.isEmpty)
  ///   .subscribe { number in print("\(number) empty lines") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no number is delivered.
  /// - **Ends:** with this signal, after the number.
  /// - **Order and threads:** the closure is called with one value at a time, on the thread that delivers it; the
  ///   number is delivered where this signal finishes.
  /// - **Allocations:** none for a value.
  /// - Parameter isCounted: Whether a value counts.
  ///
  /// See also ``count(fileID:line:function:)``.
  @inlinable
  public func count(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    where isCounted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Int> {
    lift(Site("count", behavior: .emitsAtEnd, fileID: fileID, line: line, function: function), state: 0) {
      count, value, _ in
      if try isCounted(value) { count &+= 1 }
    } end: { count, completion, downstream in
      if case .finished = completion { try downstream.send(count) }
    }
  }
}
