extension Signal where Value == Void {
  /// Delivers one value after a delay, and finishes.
  ///
  /// - Parameters:
  ///   - delay: How long after the subscription.
  ///   - tolerance: How much later it may come, to save energy.
  ///   - scheduler: Whose time counts, and where the value is delivered.
  public static func timer(
    after delay: Duration, tolerance: Duration? = nil, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    source(Site("timer", fileID, line, function)) { observer, subscription in
      let junction = Junction(observer, subscription)
      junction.run {
        junction.schedule(after: delay, on: scheduler, tolerance: tolerance) {
          try junction.emit(())
          junction.end(.finished)
        }
      }
    }
  }
}

extension Signal where Value == Int {
  /// Delivers 0, 1, 2 ... at regular times, for ever.
  ///
  /// The times are counted from the subscription, so that delays of the scheduler do not add up; times that were missed are made up for.
  ///
  /// - Parameters:
  ///   - period: The time between two values; anything shorter than a nanosecond counts as one.
  ///   - delay: The time before the first value; as long as the period if nil.
  ///   - tolerance: How much later each may come, to save energy.
  ///   - scheduler: Whose time counts, and where the values are delivered.
  public static func interval(
    every period: Duration, after delay: Duration? = nil, tolerance: Duration? = nil, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Int> {
    source(Site("interval", fileID, line, function)) { observer, subscription in
      let period = max(period, .nanoseconds(1))
      let start = scheduler.now.advanced(by: max(.zero, delay ?? period))
      let junction = Junction(observer, subscription)
      let index = SerialState(0)
      let timer = junction.timer(on: scheduler, tolerance: tolerance) { timer in
        let tick = index.value
        index.value += 1
        timer.set(after: scheduler.now.duration(to: start.advanced(by: period * index.value)))
        try junction.emit(tick)
      }
      junction.run { timer.set(after: scheduler.now.duration(to: start)) }
    }
  }
}
