extension Signal {
  /// Delivers the newest value whenever another signal delivers a value.
  ///
  /// A value is delivered once: without a new one since, nothing is delivered. This signal is subscribed to first.
  ///
  /// ![sample, as a marble diagram](sample-by)
  ///
  /// ```text
  /// source   -a-b-----c-|
  /// other    ----x-x---x-
  ///          source.sample(by: other)
  /// result   ----b-----c|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let position = Emitter<Int>()
  /// let frames = Emitter<Void>()
  /// position.signal
  ///   .sample(by: frames.signal)
  ///   .subscribe { print("drawn at \($0)") }
  ///   .store(in: bag)
  /// position.send(1)
  /// position.send(2)
  /// frames.send()
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal.
  /// - **Ends:** with this signal; the waiting value is dropped. When the other one finishes, no more values are
  ///   delivered, only the end.
  /// - **Order and threads:** a value is delivered where the other signal delivers, the end where this signal does.
  ///   They never overlap.
  /// - **Endless inputs:** one that delivers inside subscribe is never sampled: subscribing does not return.
  /// - **Allocations:** none for a value. Each subscription stores the newest value.
  /// - Parameter trigger: Each of its values delivers the newest value of this signal.
  ///
  /// See also ``sample(every:on:fileID:line:function:)``, and ``withLatest(from:fileID:line:function:)``, which delivers a value again.
  @inlinable
  public func sample<Trigger>(
    by trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "sample(by:)", behavior: [.runsNoClosure, .samples, .waitsForTrigger, .settles], fileID: fileID, line: line,
      function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let waiting = SerialState(Value?.none)
      junction.connect(upstream, as: .sampled) { value in
        waiting.value = value
      } end: { completion in
        junction.end(completion)
      }
      junction.connect(trigger, as: .trigger) { _ in
        guard let value = waiting.value.take() else { return }
        try junction.emit(value)
      } end: { completion in
        if case .failed = completion { junction.end(completion) }
      }
    }
  }

  /// Delivers the newest value at regular times.
  ///
  /// The times are multiples of the period, counted from the subscription. A value is delivered once: without a new one
  /// since, nothing is delivered, and the scheduler is idle.
  ///
  /// ![sample, as a marble diagram](sample-every-on)
  ///
  /// ```text
  /// source   -a-b-----c-d-|
  ///          source.sample(every: .milliseconds(4), on: scheduler)
  /// result   ----b-------d|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let speed = Emitter<Double>()
  /// speed.signal
  ///   .sample(every: .seconds(1), on: .main)
  ///   .subscribe { print("\($0) m/s") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting value is dropped.
  /// - **Ends:** with this signal, without delay; the waiting value is dropped (law 16).
  /// - **Order and threads:** everything is delivered on the scheduler, the end and a failure too (law 14). If a value
  ///   comes at the same instant as a delivery, whichever is first decides.
  /// - **Endless inputs:** one that delivers inside subscribe is never sampled: subscribing does not return.
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - period: The time between two deliveries; anything shorter than a nanosecond counts as one.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``throttle(for:on:latest:fileID:line:function:)``, which counts its time from the first value, and
  /// ``sample(by:fileID:line:function:)``.
  @inlinable
  public func sample(
    every period: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "sample(every:on:)", behavior: [.runsNoClosure, .waitsForTime, .settles, .limitsRate, .isPeriodic],
      fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let hop = Hop(to: junction, on: scheduler, interval: period)
      let waiting = SerialState(Value?.none)
      let times = SerialState(SampleTimes(from: scheduler.now, every: period))
      let timer = hop.timer { timer in
        guard let value = waiting.value.take() else { return }
        hop.put(.value(value), by: timer)
      }
      junction.connect(upstream, through: hop) { value in
        let isTimerSet = waiting.value != nil
        waiting.value = value
        if isTimerSet { return }
        // A time beyond the clock's range never comes.
        if let delay = times.value.next(after: scheduler.now) { timer.set(after: delay) }
      } end: { completion in
        timer.dispose()
        waiting.value = nil
        hop.send(Event(completion))
      }
    }
  }
}

/// The times of a sample: multiples of a period.
@usableFromInline
struct SampleTimes: Sendable {
  private let start: SchedulerInstant
  private let period: Int128
  /// The number of periods from the start to the last time.
  private var last: Int128 = 0

  @usableFromInline
  init(from start: SchedulerInstant, every period: Duration) {
    self.start = start
    self.period = max(period, .nanoseconds(1)).attoseconds
  }

  /// The time until the next sample, which is later than the last; nil if it cannot be computed. It may be zero.
  @usableFromInline
  mutating func next(after now: SchedulerInstant) -> Duration? {
    let elapsed = start.duration(to: now).attoseconds
    let passed = elapsed / period + (elapsed % period > 0 ? 1 : 0)
    last = max(last + 1, passed)
    let (time, isTooLong) = last.multipliedReportingOverflow(by: period)
    return isTooLong ? nil : Duration(attoseconds: time - elapsed)
  }
}
