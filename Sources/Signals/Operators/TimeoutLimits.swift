extension Signal {
  /// Fails, or continues with another signal, when the first value or a later one does not come in time.
  ///
  /// The limit for the first value is counted from the subscription, the limit for the others from the value before. A
  /// value exactly at the deadline is in time.
  ///
  /// ![timeout, as a marble diagram](timeout-first-between-on-fallback)
  ///
  /// ```text
  /// source   ---a-b-------c|
  ///          source.timeout(first: .milliseconds(5), between: .milliseconds(4), on: scheduler)
  /// result   ---a-b---#
  ///
  /// # = TimeoutError
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let download = Emitter<[UInt8]>()
  /// download.signal
  ///   .timeout(first: .seconds(30), between: .seconds(5), on: .main)
  ///   .subscribe(onValue: { print("\($0.count) bytes") }, onFailure: { error in print("the connection is lost: \(error)") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with ``TimeoutError``, which holds the exceeded limit, unless there is a fallback. Failures of
  ///   this signal and of the fallback are passed on.
  /// - **Ends:** with this signal, or with the fallback. This signal is unsubscribed at the deadline.
  /// - **Order and threads:** as with ``timeout(after:on:fallback:fileID:line:function:)``: this is no hop.
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - first: The maximum time to the first value, or to the end if there is none; `nil` sets no limit. A negative
  ///     time counts as zero.
  ///   - between: The maximum time after a value; `nil` sets no limit. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers the failure.
  ///   - fallback: The signal to continue with; `nil` fails with ``TimeoutError``.
  ///
  /// See also ``timeout(after:on:fallback:fileID:line:function:)``.
  @inlinable
  public func timeout(
    first: Duration?, between: Duration?, on scheduler: any Scheduler, fallback: Signal<Value>? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    limited(
      Site("timeout", behavior: [.endsByItself, .timesOut], fileID: fileID, line: line, function: function),
      first: first, between: between, on: scheduler,
      fallback: fallback)
  }
}
