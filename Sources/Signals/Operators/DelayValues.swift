extension Signal {
  /// Delivers each value after a delay, and the regular end as soon as no value is waiting.
  ///
  /// ![delayValues, as a marble diagram](delayValues-for-on)
  ///
  /// ```text
  /// source   -a-b---|
  ///          source.delayValues(for: .milliseconds(3), on: scheduler)
  /// result   ----a-b|
  /// ```
  ///
  /// ![delayValues, as a marble diagram](delayValues-for-on-2)
  ///
  /// ```text
  /// source   -a-b|
  ///          source.delayValues(for: .milliseconds(3), on: scheduler)
  /// result   ----a-(b|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let messages = Emitter<String>()
  /// messages.signal
  ///   .delayValues(for: .seconds(2), on: .main)
  ///   .subscribe(onValue: { print($0) }, onFinish: { print("that is all") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting values are dropped.
  /// - **Ends:** with this signal: without delay if no value is waiting, together with the last value otherwise.
  /// - **Order and threads:** everything is delivered on the scheduler, in the same order, one event at a time (law
  ///   14), even if a scheduler's timers overtake each other.
  /// - **Allocations:** each value is a work item on the scheduler, which allocates. Values wait without a limit to their number.
  /// - Parameters:
  ///   - interval: The delay. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  /// - Complexity: O(1) amortised for a value, plus the cost of the scheduler.
  ///
  /// See also ``delay(for:on:fileID:line:function:)``, which delays the end too.
  public func delayValues(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    delayed(
      Site("delayValues", behavior: [.runsNoClosure, .delays], fileID: fileID, line: line, function: function),
      for: interval,
      on: scheduler
    ) { line in
      if !line.finishWithLast() { line.add(.finished, after: .zero) }
    }
  }
}
