extension ReadableProperty {
  /// A read-only property that applies a closure to this property's value.
  ///
  /// ```text
  /// source   {0}-1-2-3-|
  ///          source.map { $0 * 2 }
  /// result   {0}-2-4-6-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let celsius = Property(21.5)
  /// let label = celsius.map { "\($0 * 9 / 5 + 32) °F" }
  /// print(label.value)
  /// label.signal.subscribe { print($0) }.store(in: bag)
  /// celsius.value = 25
  /// ```
  ///
  /// The closure runs when the result is read, and for each of its subscribers with each change. So it must be pure: no
  /// side effects, and the same result for the same value. A key path works too: `user.map(\.name)`.
  ///
  /// - **Errors:** none: the closure cannot throw, because a property always has a value.
  /// - **Ends:** the signals finish once the writable property is deallocated. The result retains it.
  /// - **Order and threads:** as with the property itself, on the thread that writes it. No lock is held while the closure runs.
  /// - **Allocations:** none for a change.
  /// - Parameter transform: Computes the value of the result. It may be called from several threads at once.
  ///
  /// See also ``Signal/map(fileID:line:function:_:)``, whose result is a signal, without a current value.
  @inlinable
  public func map<Output: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ transform: @escaping @Sendable (Value) -> Output
  ) -> ReadOnlyProperty<Output> {
    let source = readOnly
    let evaluator = source.evaluator
    return ReadOnlyProperty(
      DerivedProperty(
        source.sources,
        signal: source.signal.map(fileID: fileID, line: line, function: function, transform),
        changes: source.changes.map(fileID: fileID, line: line, function: function, transform),
        evaluator: { row in
          let value = evaluator(row)
          return { transform(value()) }
        },
        read: { transform(source.value) }))
  }
}
