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
    var layout = InputLayout()
    repeat layout.append((each Input).self)
    if layout.count == 0 { return junction.run { junction.end(.finished) } }
    let row = InputRow(layout)
    let emit: @Sendable () throws -> Void = {
      // Safe: called when the row is complete, and laid out as this tuple.
      try junction.emit(row.memory.assumingMemoryBound(to: (repeat each Input).self).pointee)
    }
    let unfinished = SerialState(layout.count)
    var index = 0
    for input in repeat each inputs {
      connectLatest(input, row, index, unfinished, junction, emit)
      index += 1
    }
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

/// Connects one input. It is not specialised for the type of its values, so it takes them by pointer.
@usableFromInline
func connectLatest<Value, Output>(
  _ input: Signal<Value>, _ row: InputRow, _ index: Int, _ unfinished: SerialState<Int>, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable () throws -> Void
) {
  let place = row.place(index)
  junction.connectByPointer(input, place.kind) { value in
    if place.keep(value) { try emit() }
  } end: { completion in
    unfinished.value -= 1
    if case .failed = completion { return junction.end(completion) }
    if unfinished.value == 0 || !place.hasValue { junction.end(.finished) }
  }
}
