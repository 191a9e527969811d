extension Signal {
  /// Delivers values until another signal delivers its first value, and then finishes.
  ///
  /// The other signal is subscribed to first. If it delivers a value inside subscribe, this signal is not subscribed to
  /// at all.
  ///
  /// ![prefix, as a marble diagram](prefix-untilOutputFrom)
  ///
  /// ```text
  /// source             -a-b-c-d-|
  /// other              ------x---
  ///                    source.prefix(untilOutputFrom: other)
  /// result             -a-b-c|
  /// source subscribed  ^-----!
  /// other subscribed   ^-----!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let positions = Emitter<Int>()
  /// let release = Emitter<Void>()
  /// positions.signal
  ///   .prefix(untilOutputFrom: release.signal)
  ///   .subscribe(onValue: { print("dragged to \($0)") }, onFinish: { print("dropped") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal.
  /// - **Ends:** with this signal, or with the first value of the other one. If the other one finishes without a value,
  ///   nothing happens.
  /// - **Order and threads:** values are delivered where this signal delivers them; the end may be delivered where the
  ///   other signal delivers. They never overlap.
  /// - **Allocations:** none for a value.
  /// - Parameter trigger: Its first value ends the result.
  ///
  /// See also ``prefix(_:fileID:line:function:)``.
  @inlinable
  public func prefix<Trigger>(
    untilOutputFrom trigger: Signal<Trigger>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    let site = Site(
      "prefix(untilOutputFrom:)", behavior: [.passesOn, .runsNoClosure, .endsByItself, .changesOnTrigger],
      fileID: fileID, line: line,
      function: function)
    return Signal(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      junction.connect(trigger, as: .trigger) { _ in
        junction.end(.finished)
      } end: { completion in
        if case .failed = completion { junction.end(completion) }
      }
      junction.connect(upstream) { value in
        try junction.emit(value)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
