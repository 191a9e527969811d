public import SignalGraph

extension Signal {
  /// Delivers each value together with the latest values of other signals, once each of those has delivered one.
  ///
  /// The others only supply: they are subscribed to first, and their values alone cause nothing. Finishes with this signal; fails with the first
  /// failure of any.
  @inlinable
  public func withLatest<each Other: Sendable>(
    from others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, repeat each Other)> {
    let upstream = self
    let site = Site("withLatest(from:)", fileID, line, function)
    return Signal<(Value, repeat each Other)>(site: site, recorder: recorder) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      let state = WithLatestState(repeat LatestSlot<each Other>())
      repeat state.connect(each others, each state.slots, junction)
      junction.connect(upstream) { value in
        guard state.missing == 0 else { return }
        let row = (value, repeat (each state.slots).latest())
        try junction.emit(row)
      } end: { completion in
        junction.end(completion)
      }
    }
  }
}

@usableFromInline
final class WithLatestState<each Other: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it.
  @usableFromInline let slots: (repeat LatestSlot<each Other>)
  @exclusivity(unchecked) @usableFromInline var missing = 0

  @inlinable
  init(_ slots: repeat LatestSlot<each Other>) {
    self.slots = (repeat each slots)
    for _ in repeat each slots { missing += 1 }
  }

  @inlinable
  func connect<Value, Output>(_ other: Signal<Value>, _ slot: LatestSlot<Value>, _ junction: Junction<Output>) {
    junction.connect(other, as: .trigger) { value in
      if slot.keep(value) { self.missing -= 1 }
    } end: { completion in
      if case .failed = completion { junction.end(completion) }
    }
  }
}
