extension Signal {
  /// Calls closures when things pass, and passes everything on unchanged.
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.handle(onFinish: { print(0) })
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let download = Emitter<Int>()
  /// download.signal
  ///   .handle(
  ///     onSubscribe: { print("begins") },
  ///     onValue: { print("\($0) %") },
  ///     onFailure: { error in print("failed: \(error)") },
  ///     onFinish: { print("done") }
  ///   )
  ///   .subscribe(onFailure: { _ in })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that `onValue` throws fails the result; `onFailure` is not called with it.
  /// - **Ends:** with this signal. No closure is called when the subscriber leaves.
  /// - **Order and threads:** `onSubscribe` is called on the subscribing thread, all others on the thread that delivers, one at a time.
  /// - **Allocations:** none for a value.
  /// - Parameters:
  ///   - onSubscribe: Called when a subscription begins, before it reaches the source.
  ///   - onValue: Called with each value, before it is passed on.
  ///   - onFailure: Called with the failure of what is above, before it is passed on.
  ///   - onFinish: Called at the regular end, before it is passed on.
  ///
  /// See also ``handle(fileID:line:function:_:)`` for values alone.
  @inlinable
  public func handle(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    onSubscribe: (@Sendable () -> Void)? = nil,
    onValue: (@Sendable (Value) throws -> Void)? = nil,
    onFailure: (@Sendable (any Error) -> Void)? = nil,
    onFinish: (@Sendable () -> Void)? = nil
  ) -> Signal<Value> {
    unsafeLift(Site("handle", fileID: fileID, line: line, function: function)) { downstream in
      onSubscribe?()
      return Observer(for: downstream) { value in
        do {
          try onValue?(value)
        } catch {
          throw downstream.stop(after: error)
        }
        try downstream.deliver(value)
      } end: { completion in
        switch completion {
        case .finished: onFinish?()
        case .failed(let error): onFailure?(error)
        }
        downstream.end(completion)
      }
    }
  }

  /// Calls a closure with each value, and passes everything on unchanged.
  ///
  /// ```text
  /// source   -a-b-|
  ///          source.handle { print($0) }
  /// result   -a-b-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let orders = Emitter<Int>()
  /// orders.signal
  ///   .handle { number in print("order \(number)") }
  ///   .filter { $0 > 100 }
  ///   .subscribe { number in print("a big number: \(number)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter onValue: Called with each value, before it is passed on.
  ///
  /// See also ``handle(fileID:line:function:onSubscribe:onValue:onFailure:onFinish:)``, which is told of the beginning and the end too.
  @inlinable
  public func handle(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ onValue: @escaping @Sendable (Value) throws -> Void
  ) -> Signal<Value> {
    stage(Site("handle", fileID: fileID, line: line, function: function)) { buffer in
      let value = buffer.take(Value.self)
      try onValue(value)
      return buffer.put(value)
    }
  }
}
