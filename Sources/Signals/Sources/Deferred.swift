extension Signal {
  /// Calls a closure for each subscription, and subscribes to the signal that it returns.
  ///
  /// ![deferred, as a marble diagram](deferred)
  ///
  /// ```text
  /// source   -a-|
  ///          Signal.deferred { source }
  /// result   -a-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let clock = ContinuousClock()
  /// let now = Signal.deferred { .just(clock.now) }
  /// now.subscribe { print("first: \($0)") }.store(in: bag)
  /// now.subscribe { print("later: \($0)") }.store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result.
  /// - **Ends:** with the signal that the closure returns.
  /// - **Order and threads:** the closure runs inside subscribe, on the subscribing thread; the rest depends on the
  ///   signal that it returns.
  /// - Parameter make: Returns the signal for one subscription.
  ///
  /// See also ``init(behavior:fileID:line:function:_:)``, for sources that are not signals.
  @inlinable
  public static func deferred(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    _ make: @escaping @Sendable () throws -> Signal<Value>
  ) -> Signal<Value> {
    Signal(Site("deferred", fileID: fileID, line: line, function: function)) { observer, subscription in
      do {
        let signal = try make()
        signal.connect(observer, subscription)
      } catch {
        subscription.end(observer, .failed(error))
      }
    }
  }
}
