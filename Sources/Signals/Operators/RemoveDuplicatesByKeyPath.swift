extension Signal {
  /// Drops each value that has the same property as the one before it.
  ///
  /// ![removeDuplicates, as a marble diagram](removeDuplicates-by-2)
  ///
  /// ```text
  /// source   -a-b-c-d-|
  ///          source.removeDuplicates(by: \.count)
  /// result   -a---c---|
  /// a = ox, b = ax, c = bee, d = cat
  /// ```
  ///
  /// ```swift
  /// struct User: Sendable {
  ///   var id: Int
  ///   var name: String
  /// }
  /// let bag = DisposeBag()
  /// let users = Emitter<User>()
  /// users.signal
  ///   .removeDuplicates(by: \.id)
  ///   .subscribe { user in print("hello, \(user.name)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value. Each subscription stores the last property. Reading a key path is slower than
  ///   calling a closure.
  /// - Parameter key: The property to compare with that of the last delivered value.
  ///
  /// See also ``removeDuplicates(fileID:line:function:by:)``, which takes a comparison of two values.
  @inlinable
  public func removeDuplicates<Key: Equatable & Sendable>(
    by key: any KeyPath<Value, Key> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    unsafeLift(
      Site(
        "removeDuplicates", behavior: [.passesOn, .atMostOne, .dropsRepeats, .runsNoClosure], fileID: fileID,
        line: line, function: function)
    ) { downstream in
      let receive = downstream.receive
      let last = SerialState(Key?.none)
      return Observer(for: downstream) { value in
        let new = value[keyPath: key]
        if let previous = last.value, previous == new { return }
        last.value = new
        try receive(value)
      }
    }
  }
}
