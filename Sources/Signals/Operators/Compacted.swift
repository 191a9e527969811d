extension Signal {
  /// Delivers the values that are not `nil`, unwrapped.
  ///
  /// ![compacted, as a marble diagram](compacted)
  ///
  /// ```text
  /// source   -1-x-3-|
  ///          source.map { Int($0) }.compacted()
  /// result   -1---3-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let selection = Property<String?>(nil)
  /// selection.signal
  ///   .compacted()
  ///   .subscribe { name in print("selected \(name)") }
  ///   .store(in: bag)
  /// selection.value = "tea"
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  ///
  /// See also ``compactMap(fileID:line:function:_:)``, which is `map` and this in one.
  @inlinable
  public func compacted<Wrapped: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Wrapped> where Value == Wrapped? {
    lift(
      Site(
        "compacted", behavior: [.passesOn, .atMostOne, .runsNoClosure, .transforms], fileID: fileID, line: line,
        function: function), stateless: { $0 })
  }
}
