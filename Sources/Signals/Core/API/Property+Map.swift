extension ReadableProperty {
  /// A read-only property of what a closure makes of the value.
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
  /// The closure runs when the result is read, and for each of its subscribers with each change. So it should do nothing but compute, and always
  /// give the same for the same value. A key path will do: `user.map(\.name)`.
  ///
  /// - **Errors:** none: the closure cannot throw, because a property always has a value.
  /// - **Ends:** the signals finish once the property that can be written is gone. The result keeps it.
  /// - **Order and threads:** as with the property itself, on the thread that writes it. No lock is held while the closure runs.
  /// - **Allocations:** none for a change.
  /// - Parameter transform: Makes the value of the result. It may be called from several threads at once.
  ///
  /// See also ``Signal/map(fileID:line:function:_:)``, whose result is a signal, without a value that can be read.
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
