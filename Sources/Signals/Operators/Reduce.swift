extension Signal {
  /// Combines all values into one result, and delivers it at the end.
  ///
  /// Without a value, the initial result is delivered. Each subscription starts from it.
  ///
  /// ![reduce, as a marble diagram](reduce)
  ///
  /// ```text
  /// source   -1-2-3-|
  ///          source.reduce(4) { $0 + $1 }
  /// result   -------(x|)
  /// x = 10
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let prices = Signal.sequence([3, 4, 5])
  /// prices
  ///   .reduce(0) { sum, price in sum + price }
  ///   .subscribe { total in print("\(total) in all") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no result is delivered.
  /// - **Ends:** with this signal, after the result.
  /// - **Order and threads:** the closure is called with one value at a time, on the thread that delivers it; the
  ///   result is delivered where this signal finishes.
  /// - **Allocations:** none for a value, except those of the closure.
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - next: Combines the result so far with a value.
  ///
  /// See also ``reduce(into:fileID:line:function:_:)``, which changes a result in place, and
  /// ``scan(_:fileID:line:function:_:)``, which delivers every intermediate result.
  @inlinable
  public func reduce<Output: Sendable>(
    _ initial: Output,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ next: @escaping @Sendable (Output, Value) throws -> Output
  ) -> Signal<Output> {
    lift(Site("reduce", behavior: .emitsAtEnd, fileID: fileID, line: line, function: function), state: initial) {
      result, value, _ in
      result = try next(result, value)
    } end: { result, completion, downstream in
      if case .finished = completion { try downstream.send(result) }
    }
  }

  /// Updates a result in place with each value, and delivers it at the end.
  ///
  /// The overload for results that are costly to copy, such as collections. Without a value, the initial result is
  /// delivered. Each subscription begins with a copy of it.
  ///
  /// ![reduce, as a marble diagram](reduce-into)
  ///
  /// ```text
  /// source   -a-b-c-|
  ///          source.reduce(into: [String]()) { $0.append($1) }
  /// result   -------(x|)
  /// x = [a, b, c]
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let words = Signal.sequence(["tea", "milk", "tea"])
  /// words
  ///   .reduce(into: [String: Int]()) { counts, word in counts[word, default: 0] += 1 }
  ///   .subscribe { counts in print(counts["tea"] ?? 0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. After a failure no result is delivered.
  /// - **Ends:** with this signal, after the result.
  /// - **Order and threads:** the closure is called with one value at a time, on the thread that delivers it; the
  ///   result is delivered where this signal finishes.
  /// - **Allocations:** none for a value, except those of the closure.
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - update: Updates the result so far with a value.
  ///
  /// See also ``reduce(_:fileID:line:function:_:)``.
  @inlinable
  public func reduce<Output: Sendable>(
    into initial: Output,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ update: @escaping @Sendable (inout Output, Value) throws -> Void
  ) -> Signal<Output> {
    lift(Site("reduce", behavior: .emitsAtEnd, fileID: fileID, line: line, function: function), state: initial) {
      result, value, _ in
      try update(&result, value)
    } end: { result, completion, downstream in
      if case .finished = completion { try downstream.send(result) }
    }
  }
}
