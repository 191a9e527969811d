extension Signal where Value == Void {
  /// Delivers one value after a delay, and finishes.
  ///
  /// ![timer, as a marble diagram](timer-after-on-tolerance)
  ///
  /// ```text
  ///          Signal.timer(after: .milliseconds(4), on: scheduler)
  /// result   ----(t|)
  ///
  /// t = ()
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Signal.timer(after: .seconds(3), on: .main)
  ///   .subscribe { print("the hint goes away") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Ends:** together with the value.
  /// - **Order and threads:** everything is delivered on the scheduler (law 14).
  /// - Parameters:
  ///   - delay: The time from the subscription to the value. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///   - tolerance: The accepted additional delay, to save energy; `nil` leaves that to the system.
  ///
  /// See also ``interval(every:on:after:tolerance:fileID:line:function:)`` and ``delay(for:on:fileID:line:function:)``.
  public static func timer(
    after delay: Duration, on scheduler: any Scheduler, tolerance: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Void> {
    Signal(Site("timer", behavior: .cannotFail, fileID: fileID, line: line, function: function)) {
      observer, subscription in
      let junction = Junction(observer, subscription)
      let hop = Hop(to: junction, on: scheduler, interval: delay)
      let timer = hop.timer(tolerance: tolerance) { timer in
        hop.put(.value(()), by: timer)
        hop.put(.finished, by: timer)
      }
      hop.perform { timer.set(after: delay) }
    }
  }
}

extension Signal where Value == Int {
  /// Delivers 0, 1, 2 and so on at regular times, as long as there is a subscriber.
  ///
  /// The times are counted from the subscription, so that delays of the scheduler do not add up. A value whose deadline
  /// was missed is delivered late, not dropped.
  ///
  /// ![interval, as a marble diagram](interval-every-on-after-tolerance)
  ///
  /// ```text
  ///                    Signal.interval(every: .milliseconds(2), on: scheduler)
  /// result subscribes  ^--------!
  /// result             --0-1-2-3
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// Signal.interval(every: .seconds(60), on: .main, after: .zero, tolerance: .seconds(5))
  ///   .subscribe { minutes in print("running for \(minutes) min") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Ends:** never.
  /// - **Order and threads:** everything is delivered on the scheduler (law 14), one value at a time.
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - period: The time between two values; anything shorter than a nanosecond counts as one.
  ///   - scheduler: Measures the time, and delivers everything.
  ///   - delay: The time from the subscription to the first value; the period if `nil`. A negative time counts as zero.
  ///   - tolerance: The accepted additional delay of each value, to save energy; `nil` leaves that to the system.
  ///
  /// See also ``timer(after:on:tolerance:fileID:line:function:)``.
  public static func interval(
    every period: Duration, on scheduler: any Scheduler, after delay: Duration? = nil, tolerance: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Int> {
    Signal(
      Site(
        "interval", behavior: [.cannotFail, .isPeriodic, .startsWork], fileID: fileID, line: line, function: function)
    ) { observer, subscription in
      let period = Swift.max(period, .nanoseconds(1))
      let start = scheduler.now.advanced(by: Swift.max(.zero, delay ?? period))
      let junction = Junction(observer, subscription)
      let hop = Hop(to: junction, on: scheduler, interval: period, leadTime: delay)
      let index = SerialState(0)
      let timer = hop.timer(tolerance: tolerance) { timer in
        let tick = index.value
        index.value += 1
        // A time beyond the clock's range never comes.
        if let next = start.advanced(by: period, times: index.value) {
          timer.set(after: scheduler.now.duration(to: next))
        }
        hop.put(.value(tick), by: timer)
      }
      hop.perform { timer.set(after: scheduler.now.duration(to: start)) }
    }
  }
}
