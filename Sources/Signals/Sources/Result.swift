extension Signal {
  /// Delivers the value of a result and finishes, or fails with its error, inside subscribe.
  ///
  /// ![result, as a marble diagram](result)
  ///
  /// ```text
  ///          Signal.result(success)
  /// result   {a|}
  ///
  ///          Signal.result(failure)
  /// result   {#}
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// struct NoSuchTown: Error {}
  /// func temperature(of town: String) -> Result<Int, NoSuchTown> {
  ///   town == "Lima" ? .success(27) : .failure(NoSuchTown())
  /// }
  /// let towns = Property("Lima")
  /// towns.signal
  ///   .flatMapLatest { .result(temperature(of: $0)) }
  ///   .subscribe(onValue: { print($0) }, onFailure: { print($0) })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Order and threads:** on the subscribing thread.
  /// - Parameter result: The result to deliver.
  ///
  /// See also ``just(_:fileID:line:function:)`` and ``fail(_:fileID:line:function:)``; for a closure that may throw,
  /// ``deferred(fileID:line:function:_:)``.
  public static func result<Failure: Error>(
    _ result: Result<Value, Failure>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    switch result {
    case .success(let value): just(value, fileID: fileID, line: line, function: function)
    case .failure(let error): fail(error, fileID: fileID, line: line, function: function)
    }
  }
}
