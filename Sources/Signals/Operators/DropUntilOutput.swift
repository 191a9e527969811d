extension Signal {
  /// Leaves out values until another signal delivers its first value, and delivers all that come after it.
  ///
  /// The other signal is subscribed to first, and left after its first value.
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
  /// - **Errors:** fails with the failure of this signal, or of the other one while that is still awaited.
  /// - **Ends:** with this signal. When the other one finishes without a value, no value comes any more, only the end.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter trigger: Its first value lets values pass.
  ///
  /// See also ``prefix(untilOutputFrom:fileID:line:function:)``, which delivers those before, and
  /// ``drop(fileID:line:function:while:)``.
  @inlinable
  public func drop<Trigger>(
    untilOutputFrom trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "drop(untilOutputFrom:)", behavior: [.passesOn, .changesOnTrigger], fileID: fileID, line: line, function: function
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
