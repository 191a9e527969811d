extension Signal {
  /// Waits for a while after a value, and then delivers the newest one.
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
  /// - **Errors:** a failure of this signal is passed on without delay; the value that is waiting is dropped.
  /// - **Ends:** with this signal. If a value is waiting, both come together when its time has come.
  /// - **Order and threads:** everything is delivered on the scheduler, the end and a failure too (law 14).
  /// - **Allocations:** none for a value, beside those of the scheduler.
  /// - Parameters:
  ///   - interval: How long the first value waits that comes when none is waiting. A negative time counts as zero.
  ///   - scheduler: Measures the time, and delivers everything.
  ///
  /// See also ``throttle(for:on:edges:fileID:line:function:)``, where a value is followed by a rest, and
  /// ``debounce(for:on:fileID:line:function:)``, which waits until it is quiet.
  @inlinable
  public func audit(
    for interval: Duration, on scheduler: any Scheduler,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "audit", behavior: [.waitsForTime, .settles, .delays, .keepsNewest], fileID: fileID, line: line,
      function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
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

  /// Waits, after a value, for a signal that was made for it, and then delivers the newest value.
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
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of a signal that it made. The value that is
  ///   waiting is dropped with every failure.
  /// - **Ends:** with this signal. If a value is waiting, the end waits too. When a signal that the closure made finishes without a value,
  ///   the value that is waiting is dropped, and the next value begins anew.
  /// - **Order and threads:** a value comes where the signal delivers that was waited for. Calls never overlap.
  /// - **Allocations:** each wait is a new subscription to the signal that is made for it; other values allocate nothing.
  /// - Parameter trigger: Makes a signal for a value that comes when none is waiting. The signal is left with its first value.
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
