extension Signal {
  /// Drops values until another signal delivers its first value, and delivers all values after it.
  ///
  /// The other signal is subscribed to first, and unsubscribed after its first value.
  ///
  /// ![drop, as a marble diagram](drop-untilOutputFrom)
  ///
  /// ```text
  /// source            -a-b-c-d-|
  /// other             ----x-y-|
  ///                   source.drop(untilOutputFrom: other)
  /// result            -----c-d-|
  /// other subscribed  ^---!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let readings = Emitter<Double>()
  /// let calibrated = Emitter<Void>()
  /// readings.signal
  ///   .drop(untilOutputFrom: calibrated.signal)
  ///   .subscribe { print("\($0) degrees") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the failure of this signal, or with that of the other one before its first value.
  /// - **Ends:** with this signal. When the other one finishes without a value, no more values are delivered, only the
  ///   end.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter trigger: Its first value opens the result.
  ///
  /// See also ``prefix(untilOutputFrom:fileID:line:function:)``, which delivers the values before, and
  /// ``drop(fileID:line:function:while:)``.
  @inlinable
  public func drop<Trigger>(
    untilOutputFrom trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "drop(untilOutputFrom:)", behavior: [.passesOn, .runsNoClosure, .changesOnTrigger], fileID: fileID, line: line,
      function: function
    )
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let isDropping = SerialState(true)
      let key = junction.reserveKey()
      junction.connect(trigger, as: .trigger, key: key) { _ in
        isDropping.value = false
        junction.drop(key)
      } end: { completion in
        if case .failed = completion { junction.end(completion) }
      }
      junction.connect(upstream) { value in
        if !isDropping.value { try junction.emit(value) }
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
