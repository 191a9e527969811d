extension Signal {
  /// Delivers the last value, once this signal has finished.
  ///
  /// If this signal finishes without a value, so does the result.
  ///
  /// ![last, as a marble diagram](last)
  ///
  /// ```text
  /// source   -a-b-c--|
  ///          source.last()
  /// result   --------(c|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let progress = Emitter<Double>()
  /// progress.signal
  ///   .last()
  ///   .subscribe { print("it got as far as \($0)") }
  ///   .store(in: bag)
  /// progress.send(0.5)
  /// progress.finish()
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on at once; the value is dropped.
  /// - **Ends:** with this signal. The last value is delivered before the end.
  /// - **Order and threads:** the value and the end are delivered on the thread that delivers the end.
  /// - **Allocations:** none for a value. Each subscription stores the newest value.
  ///
  /// See also ``last(fileID:line:function:where:)``, and ``suffix(_:fileID:line:function:)`` for several.
  @inlinable
  public func last(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    last(Site("last", behavior: [.runsNoClosure, .emitsAtEnd], fileID: fileID, line: line, function: function)) { _ in
      true
    }
  }

  /// Delivers the last value that meets a condition, once this signal has finished.
  ///
  /// If there was none, the result finishes without a value.
  ///
  /// ![last, as a marble diagram](last-where)
  ///
  /// ```text
  /// source   -1-5-2--|
  ///          source.last { $0 > 3 }
  /// result   --------(5|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let lines = Signal.sequence(["start", "error: disk full", "stop"])
  /// lines
  ///   .last { $0.hasPrefix("error") }
  ///   .subscribe { print("the last error: \($0)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result. A failure of this signal is passed on at once; the value is
  ///   dropped.
  /// - **Ends:** with this signal. The value is delivered before the end.
  /// - **Order and threads:** the value and the end are delivered on the thread that delivers the end; the closure is
  ///   called with each value where that is delivered.
  /// - **Allocations:** none for a value. Each subscription stores the newest value that meets the condition.
  /// - Parameter isWanted: Whether a value meets the condition.
  ///
  /// See also ``last(fileID:line:function:)``, and ``first(fileID:line:function:where:)``, which does not wait for the
  /// end.
  @inlinable
  public func last(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    where isWanted: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    last(Site("last(where:)", behavior: .emitsAtEnd, fileID: fileID, line: line, function: function), where: isWanted)
  }

  @inlinable
  func last(_ site: Site, where isWanted: @escaping @Sendable (Value) throws -> Bool) -> Signal<Value> {
    lift(site, state: Value?.none) { last, value, _ in
      if try isWanted(value) { last = value }
    } end: { last, completion, downstream in
      if case .finished = completion, let last { try downstream.send(last) }
    }
  }
}
