import DequeModule

/// Delivers the first values of all signals together, then the second ones, and so on.
///
/// Values wait until each signal has delivered its own. Finishes as soon as a finished signal has no value waiting (law 16); fails with the
/// first failure. Any number of signals.
public func zip<each Input: Sendable>(
  _ inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  var recorder: GraphRecorder?
  for input in repeat each inputs { recorder = recorder ?? input.recorder }
  return Signal(site: Site("zip", fileID, line, function), recorder: recorder) { downstream, subscription in
    let junction = Junction(downstream, subscription)
    let state = ZipState(repeat ZipSlot<each Input>())
    repeat state.connect(each inputs, each state.slots, junction)
    if state.count == 0 { junction.run { junction.end(.finished) } }
  }
}

extension Signal {
  /// Delivers this signal's and others' values in step; see ``zip(_:fileID:line:function:)``.
  public func zip<each Other: Sendable>(
    _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, repeat each Other)> {
    Signals.zip(self, repeat each others, fileID: fileID, line: line, function: function)
  }
}

/// The values of one input that wait for the others.
private final class ZipSlot<Value: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it.
  var waiting: Deque<Value> = []
  var isFinished = false
}

private final class ZipState<each Input: Sendable>: @unchecked Sendable {
  // Safe: touched only inside the gate of the operator that has it.
  let slots: (repeat ZipSlot<each Input>)
  let count: Int
  private var empty: Int

  init(_ slots: repeat ZipSlot<each Input>) {
    self.slots = (repeat each slots)
    var count = 0
    for _ in repeat each slots { count += 1 }
    self.count = count
    empty = count
  }

  func connect<Value>(_ input: Signal<Value>, _ slot: ZipSlot<Value>, _ junction: Junction<(repeat each Input)>) {
    junction.connect(input) { value in
      if slot.waiting.isEmpty { self.empty -= 1 }
      slot.waiting.append(value)
      if self.empty == 0 { try self.emitRow(junction) }
    } end: { completion in
      slot.isFinished = true
      if case .failed = completion { return junction.end(completion) }
      if slot.waiting.isEmpty { junction.end(.finished) }
    }
  }

  private func emitRow(_ junction: Junction<(repeat each Input)>) throws {
    let row = (repeat (each slots).waiting.removeFirst())
    var isOver = false
    for slot in repeat each slots {
      guard slot.waiting.isEmpty else { continue }
      empty += 1
      if slot.isFinished { isOver = true }
    }
    try junction.emit(row)
    if isOver { junction.end(.finished) }
  }
}
