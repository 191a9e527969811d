extension Signal where Value == Void {
  /// Delivers one value after a delay, and finishes, both on the scheduler (law 14).
  ///
  /// - Parameters:
  ///   - delay: How long after the subscription.
  ///   - tolerance: How much later it may come, to save energy.
  ///   - scheduler: Measures the time, and delivers everything.
  public static func timer(
    after delay: Duration, tolerance: Duration? = nil, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    Signal(Site("timer", fileID: fileID, line: line, function: function)) { observer, subscription in
      let junction = Junction(observer, subscription)
      let hop = Hop(to: junction, on: scheduler)
      let timer = hop.timer(tolerance: tolerance) { timer in
        hop.put(.value(()), by: timer)
        hop.put(.finished, by: timer)
      }
      hop.perform { timer.set(after: delay) }
    }
  }
}

extension Signal where Value == Int {
  /// Delivers 0, 1, 2 ... at regular times, for ever, on the scheduler (law 14).
  ///
  /// The times are counted from the subscription, so that delays of the scheduler do not add up. A value whose time was missed is
  /// delivered late, not left out.
  ///
  /// - Parameters:
  ///   - period: The time between two values; anything shorter than a nanosecond counts as one.
  ///   - delay: The time before the first value; as long as the period if nil.
  ///   - tolerance: How much later each may come, to save energy.
  ///   - scheduler: Measures the time, and delivers the values.
  public static func interval(
    every period: Duration, after delay: Duration? = nil, tolerance: Duration? = nil, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Int> {
    Signal(Site("interval", fileID: fileID, line: line, function: function)) { observer, subscription in
      let period = max(period, .nanoseconds(1))
      let start = scheduler.now.advanced(by: max(.zero, delay ?? period))
      let junction = Junction(observer, subscription)
      let hop = Hop(to: junction, on: scheduler)
      let index = SerialState(0)
      let timer = hop.timer(tolerance: tolerance) { timer in
        let tick = index.value
        index.value += 1
        // A time that no clock reaches never comes.
        if let next = start.advanced(by: period, times: index.value) {
          timer.set(after: scheduler.now.duration(to: next))
        }
        hop.put(.value(tick), by: timer)
      }
      hop.perform { timer.set(after: scheduler.now.duration(to: start)) }
    }
  }
}
