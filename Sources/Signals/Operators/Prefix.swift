extension Signal {
  /// Delivers the first values, and then finishes.
  ///
  /// Each subscription counts separately. With a count of 0 or less the result finishes at once, and this signal is not
  /// subscribed to (law 16).
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
  /// - **Ends:** after the last of the first values, and then unsubscribes; or earlier, with this signal.
  /// - **Order and threads:** one value at a time, in the order of this signal, on the thread that delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter count: The number of values to deliver.
  ///
  /// See also ``dropFirst(_:fileID:line:function:)`` and ``prefix(untilOutputFrom:fileID:line:function:)``.
  @inlinable
  public func prefix(
    _ count: Int,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let upstream = self
    return Signal(
      Site(
        "prefix", behavior: [.passesOn, .atMostOne, .runsNoClosure, .endsByItself], fileID: fileID, line: line,
        function: function), derivedFrom: self
    ) {
      downstream, subscription in
      guard count > 0 else { return subscription.end(downstream, .finished) }
      let first = FirstValues(count, downstream)
      upstream.connect(Observer(for: downstream) { value in try first.take(value) }, subscription)
    }
  }
}

/// The first values of one subscription. One object, so that its closure needs no memory.
// Safe: as in the superclass, whose state is the number of remaining values; the observer is constant.
@usableFromInline
final class FirstValues<Value: Sendable>: SerialState<Int>, @unchecked Sendable {
  @usableFromInline let downstream: KeptObserver<Value>

  @inlinable
  init(_ count: Int, _ downstream: consuming Observer<Value>) {
    self.downstream = KeptObserver(downstream)
    super.init(count)
  }

  @inlinable
  func take(_ value: Value) throws {
    let remaining = self.value
    // An operator above did not rethrow the error of the last value.
    if remaining == 0 { throw StopDelivery() }
    self.value = remaining &- 1
    try downstream.receive(value)
    if remaining == 1 { throw downstream.observer.finishing() }
  }
}
