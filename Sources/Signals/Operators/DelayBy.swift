extension Signal {
  /// Delivers each value when a signal created for it delivers its first value. Values may overtake each other.
  ///
  /// ![delay, as a marble diagram](delay-by)
  ///
  /// ```text
  /// source  -a-b---|
  /// a       ----x
  /// b       -x
  ///         source.delay(by: { value in value == "a" ? a : b })
  /// result  ----ba-|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let messages = Emitter<(text: String, pause: Duration)>()
  /// messages.signal
  ///   .delay(by: { message in .timer(after: message.pause, on: .main) })
  ///   .subscribe { message in print(message.text) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** an error that the closure throws fails the result, and so does a failure of this signal or of one
  ///   that the closure created. Waiting values are dropped.
  /// - **Ends:** when this signal has finished and no value is waiting. A value whose signal finishes without a value is dropped.
  /// - **Order and threads:** a value is delivered where its signal delivers. Calls never overlap.
  /// - **Allocations:** each value is a new subscription to the signal created for it. Values wait without a limit to
  ///   their number.
  /// - Parameter trigger: Creates the signal that a value waits for. It is unsubscribed after its first value.
  ///
  /// See also ``delay(for:on:fileID:line:function:)``, which preserves the order, and
  /// ``debounce(fileID:line:function:by:)``.
  @inlinable
  public func delay<Trigger>(
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by trigger: @escaping @Sendable (Value) throws -> Signal<Trigger>
  ) -> Signal<Value> {
    let upstream = self
    let site = Site("delay(by:)", behavior: .delays, fileID: fileID, line: line, function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = SerialState((waiting: 0, isFinished: false))
      junction.connect(upstream) { value in
        let signal = try trigger(value)
        state.value.waiting += 1
        junction.connectTrigger(signal, key: junction.reserveKey()) {
          state.value.waiting -= 1
          try junction.emit(value)
          if state.value.isFinished, state.value.waiting == 0 { junction.end(.finished) }
        } end: { completion in
          state.value.waiting -= 1
          if case .failed = completion { return junction.end(completion) }
          if state.value.isFinished, state.value.waiting == 0 { junction.end(.finished) }
        }
      } end: { completion in
        if case .finished = completion, state.value.waiting > 0 {
          state.value.isFinished = true
          return
        }
        junction.end(completion)
      }
    }
  }
}
