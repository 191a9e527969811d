extension Signal {
  /// Delivers the first values, and finishes together with the last of them.
  ///
  /// Each subscription counts for itself. With a count of 0 or less the result finishes at once, and this signal is not subscribed to
  /// (law 16).
  ///
  /// ![prefix, as a marble diagram](prefix)
  ///
  /// ```text
  /// source             -a-b-c-|
  ///                    source.prefix(2)
  /// result             -a-(b|)
  /// source subscribed  ^--!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let clicks = Emitter<String>()
  /// clicks.signal
  ///   .prefix(1)
  ///   .subscribe(onValue: { print("the first click: \($0)") }, onFinish: { print("no more") })
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** none of its own.
  /// - **Ends:** after the last value that is let through, and then leaves this signal; or earlier, with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter count: How many values are delivered.
  ///
  /// See also ``dropFirst(_:fileID:line:function:)`` and ``prefix(untilOutputFrom:fileID:line:function:)``.
  @inlinable
  public func prefix(
    _ count: Int,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(Site("prefix", fileID: fileID, line: line, function: function), derivedFrom: self) {
      downstream, subscription in
      guard count > 0 else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription)
      let remaining = SerialState(count)
      junction.connect(upstream) { value in
        remaining.value -= 1
        let isLast = remaining.value == 0
        try junction.emit(value)
        if isLast { junction.end(.finished) }
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}
