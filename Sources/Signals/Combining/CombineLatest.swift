/// Delivers the latest values of all signals together, once each has delivered one, whenever one delivers another.
///
/// Finishes when all have finished, or when one finishes without a value (law 16); fails with the first failure. Any number of signals.
@inlinable
public func combineLatest<each Input: Sendable>(
  _ inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  var recorder: GraphRecorder?
  for input in repeat each inputs { recorder = recorder ?? input.recorder }
  return Signal(site: Site("combineLatest", fileID, line, function), recorder: recorder) { downstream, subscription in
    let junction = Junction(downstream, subscription)
    let state = CombineLatestState(repeat LatestSlot<each Input>())
    repeat state.connect(each inputs, each state.slots, junction)
    if state.count == 0 { junction.run { junction.end(.finished) } }
  }
}

extension Signal {
  /// Delivers this signal's and another's latest values together; see ``combineLatest(_:fileID:line:function:)``.
  @inlinable
  public func combineLatest<each Other: Sendable>(
    _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, repeat each Other)> {
    Signals.combineLatest(self, repeat each others, fileID: fileID, line: line, function: function)
  }
}

/// The latest value of one input.
@usableFromInline
final class LatestSlot<Value: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it.
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable
  init() {}
}

/// The latest values of all inputs, and how many inputs have none yet or have not finished.
@usableFromInline
final class CombineLatestState<each Input: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it.
  @usableFromInline let slots: (repeat LatestSlot<each Input>)
  @usableFromInline let count: Int
  @exclusivity(unchecked) @usableFromInline var missing: Int
  @exclusivity(unchecked) @usableFromInline var unfinished: Int

  @inlinable
  init(_ slots: repeat LatestSlot<each Input>) {
    self.slots = (repeat each slots)
    var count = 0
    for _ in repeat each slots { count += 1 }
    self.count = count
    missing = count
    unfinished = count
  }

  @inlinable
  func connect<Value>(
    _ input: Signal<Value>, _ slot: LatestSlot<Value>, _ junction: Junction<(repeat each Input)>
  ) {
    junction.connect(input) { value in
      if slot.value == nil { self.missing -= 1 }
      slot.value = value
      // Safe: no slot is empty once none is missing.
      if self.missing == 0 { try junction.emit((repeat (each self.slots).value.unsafelyUnwrapped)) }
    } end: { completion in
      self.unfinished -= 1
      if case .failed = completion { return junction.end(completion) }
      if self.unfinished == 0 || slot.value == nil { junction.end(.finished) }
    }
  }
}
