extension ReadableProperty where Value: Equatable {
  /// A read-only property with the same value, whose signals drop each value that equals the one before it.
  ///
  /// ```text
  /// source   {a}-a-b-b-a-|
  ///          source.removingDuplicates()
  /// result   {a}---b---a-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let percent = Property(0)
  /// let isDone = percent.map { $0 == 100 }.removingDuplicates()
  /// isDone.signal.subscribe { print($0) }.store(in: bag)  // Prints false.
  /// percent.value = 50  // Prints nothing.
  /// percent.value = 100  // Prints true.
  /// print(isDone.value)
  /// ```
  ///
  /// - **Errors:** none.
  /// - **Ends:** the signals finish once the writable properties are deallocated. The result retains them.
  /// - **Order and threads:** as with the property itself, on the thread that writes it. No lock is held while values are compared.
  /// - **Allocations:** none for a change. Each subscription stores the last value that was delivered.
  ///
  /// See also ``Property/init(removingDuplicates:fileID:line:function:)``, a property that ignores such values when they are written.
  @inlinable
  public func removingDuplicates(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> ReadOnlyProperty<Value> {
    let source = readOnly
    let distinct = source.signal.removeDuplicates(fileID: fileID, line: line, function: function)
    return ReadOnlyProperty(
      DerivedProperty(
        source.sources, signal: distinct,
        changes: distinct.withoutCurrent(
          Site("changes", behavior: [.passesOn, .runsNoClosure], fileID: fileID, line: line, function: function)),
        evaluator: source.evaluator, read: { source.value }))
  }
}

extension Signal {
  /// Drops the first value, which is a property's current one.
  @inlinable
  func withoutCurrent(_ site: Site) -> Signal<Value> {
    unsafeLift(site) { downstream in
      let receive = downstream.receive
      let isChange = SerialState(false)
      return Observer(for: downstream) { value in
        if isChange.value { return try receive(value) }
        isChange.value = true
      }
    }
  }
}
