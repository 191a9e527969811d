extension Signal {
  /// Replaces each value by the time since the one before; the first value, by the time since the subscription.
  ///
  /// ![measureInterval, as a marble diagram](measureInterval-on)
  ///
  /// ```text
  /// source   -a--b-|
  ///          source.measureInterval(on: scheduler)
  /// result   -x--y-|
  /// x = 0.001 seconds, y = 0.003 seconds
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let heartbeat = Emitter<Void>()
  /// heartbeat.signal
  ///   .measureInterval(on: .main)
  ///   .filter { interval in interval > .seconds(2) }
  ///   .subscribe { interval in print("the heart stood still for \(interval)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** with this signal.
  /// - **Order and threads:** where this signal delivers: the scheduler provides only the time.
  /// - **Allocations:** none for a value.
  /// - Parameter scheduler: Provides the time.
  ///
  /// See also ``timestamp(on:fileID:line:function:)``, which preserves the value.
  @inlinable
  public func measureInterval(
    on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Duration> {
    unsafeLift(
      Site(
        "measureInterval", behavior: [.passesOn, .atMostOne, .runsNoClosure], fileID: fileID, line: line,
        function: function)
    ) { downstream in
      let receive = downstream.receive
      let last = SerialState(scheduler.now)
      return Observer(for: downstream) { _ in
        let now = scheduler.now
        let interval = last.value.duration(to: now)
        last.value = now
        try receive(interval)
      }
    }
  }
}
