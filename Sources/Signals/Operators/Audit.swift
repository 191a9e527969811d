extension Signal {
  /// Waits for a time after a value, and then delivers the newest value.
  ///
  /// ![audit, as a marble diagram](audit-for-on)
  ///
  /// ```text
  /// source   -abc----d--|
  ///          source.audit(for: .milliseconds(3), on: scheduler)
  /// result   ----c------(d|)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let positions = Emitter<Double>()
  /// positions.signal
  ///   .audit(for: .milliseconds(16), on: .main)
  ///   .subscribe { position in print("drawing at \(position)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** a failure of this signal is passed on without delay; the waiting value is dropped.
  /// - **Ends:** with this signal. If a value is waiting, both are delivered together when it is due.
  /// - **Order and threads:** everything is delivered on the scheduler, the end and a failure too (law 14).
  /// - **Allocations:** none for a value, except those of the scheduler.
  /// - Parameters:
  ///   - interval: The time from the first value until delivery. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``throttle(for:on:edges:fileID:line:function:)``, where a pause follows a value, and
  /// ``debounce(for:on:fileID:line:function:)``, which waits until no more values come.
  @inlinable
  public func audit(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "audit", behavior: [.runsNoClosure, .waitsForTime, .settles, .delays, .keepsNewest], fileID: fileID, line: line,
      function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription, hasOneInput: true)
      let hop = Hop(to: junction, on: scheduler, interval: interval)
      let state = SerialState(TriggeredValue<Value>())
      let timer = hop.timer { timer in
        guard let value = state.value.takeWaiting() else { return }
        hop.put(.value(value), by: timer)
        if state.value.isFinished { hop.put(.finished, by: timer) }
      }
      junction.connect(upstream, through: hop) { value in
        let isFirst = state.value.waiting == nil
        state.value.waiting = value
        if isFirst { timer.set(after: interval) }
      } end: { completion in
        state.value.isFinished = true
        if case .finished = completion, state.value.waiting != nil { return }
        state.value.waiting = nil
        timer.dispose()
        hop.send(Event(completion))
      }
    }
  }

  /// Waits, after a value, for a signal that a closure creates for it, and then delivers the newest value.
  ///
  /// ![audit, as a marble diagram](audit-by)
  ///
  /// ```text
  /// source            -abc----d--|
  /// other             ---x
  ///                   source.audit(by: { _ in other })
  /// result            ----c------(d|)
  /// other subscribed  -^--!
  /// other subscribed  --------^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let positions = Emitter<Double>()
  /// let frames = Emitter<Void>()
  /// positions.signal
  ///   .audit(by: { _ in frames.signal })
  ///   .subscribe { position in print("drawing at \(position)") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of a signal that it
  ///   created. The waiting value is dropped with every failure.
  /// - **Ends:** with this signal. If a value is waiting, the end waits too. When a signal that the closure created
  ///   finishes without a value, the waiting value is dropped, and the next value starts another wait.
  /// - **Order and threads:** a value is delivered where the awaited signal delivers. Calls never overlap.
  /// - **Allocations:** each wait is a new subscription to its signal; other values allocate nothing.
  /// - Parameter trigger: Creates the signal to wait for, from a value that comes when none is waiting. It is
  ///   unsubscribed after its first value.
  ///
  /// See also ``audit(for:on:fileID:line:function:)`` and ``debounce(fileID:line:function:by:)``.
  @inlinable
  public func audit<Trigger>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by trigger: @escaping @Sendable (Value) throws -> Signal<Trigger>
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("audit(by:)", behavior: .settles, fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState(TriggeredValue<Value>())
      junction.connect(upstream) { value in
        state.value.waiting = value
        guard state.value.key == nil else { return }
        let signal = try trigger(value)
        let key = junction.reserveKey()
        state.value.key = key
        junction.connectTrigger(signal, key: key) {
          state.value.key = nil
          if let value = state.value.takeWaiting() { try junction.emit(value) }
          if state.value.isFinished { junction.end(.finished) }
        } end: { completion in
          state.value.key = nil
          state.value.waiting = nil
          if case .failed = completion { return junction.end(completion) }
          if state.value.isFinished { junction.end(.finished) }
        }
      } end: { completion in
        state.value.isFinished = true
        if case .finished = completion, state.value.key != nil { return }
        junction.end(completion)
      }
    }
  }
}
