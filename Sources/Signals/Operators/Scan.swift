extension Signal {
  /// Combines each value with the result so far, and delivers the new result.
  ///
  /// The initial result itself is not delivered. Each subscription starts from it.
  ///
  /// ![scan, as a marble diagram](scan)
  ///
  /// ```text
  /// source   -1-2-3-|
  ///          source.scan(3) { $0 + $1 }
  /// result   -4-6-9-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let words = Emitter<String>()
  /// words.signal
  ///   .scan([]) { list, word in list + [word] }
  ///   .subscribe { list in print(list.joined(separator: " ")) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value, except those of the closure.
  /// - Parameters:
  ///   - initial: The result before the first value.
  ///   - next: Combines the result so far with a value.
  ///
  /// See also ``scan(fileID:line:function:_:)``, which begins with the first value, and ``lift(_:state:_:)`` for
  /// operators with custom state.
  @inlinable
  public func scan<Output: Sendable>(
    _ initial: Output,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ next: @escaping @Sendable (Output, Value) throws -> Output
  ) -> Signal<Output> {
    unsafeLift(
      Site(
        "scan", behavior: [.passesOn, .atMostOne, .keepsState, .transforms], fileID: fileID, line: line,
        function: function)
    ) { downstream in
      let receive = downstream.receive
      let result = SerialState(initial)
      return Observer(for: downstream) { value in
        result.value = try next(result.value, value)
        try receive(result.value)
      }
    }
  }

  /// Delivers the first value, and then each value combined with the result so far.
  ///
  /// Each subscription starts again.
  ///
  /// ![scan, as a marble diagram](scan-2)
  ///
  /// ```text
  /// source   -1-2-3-|
  ///          source.scan { $0 + $1 }
  /// result   -1-3-6-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let temperatures = Emitter<Double>()
  /// temperatures.signal
  ///   .scan(max)
  ///   .subscribe { warmest in print("the warmest until now: \(warmest)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value, except those of the closure.
  /// - Parameter next: Combines the result so far with a value. It is not called with the first value.
  ///
  /// See also ``scan(_:fileID:line:function:_:)``, which begins with a result of another type.
  @inlinable
  public func scan(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ next: @escaping @Sendable (Value, Value) throws -> Value
  ) -> Signal<Value> {
    unsafeLift(
      Site(
        "scan", behavior: [.passesOn, .atMostOne, .keepsState, .transforms], fileID: fileID, line: line,
        function: function)
    ) { downstream in
      let receive = downstream.receive
      let result = SerialState(Value?.none)
      return Observer(for: downstream) { value in
        let output = if let previous = result.value { try next(previous, value) } else { value }
        result.value = output
        try receive(output)
      }
    }
  }
}
