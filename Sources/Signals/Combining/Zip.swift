/// Delivers the first values of all signals together, then the second ones, and so on.
///
/// Values wait until each signal has delivered its own. Finishes as soon as a finished signal has no value waiting (law 16); fails with the
/// first failure. Any number of signals.
@inlinable
public func zip<each Input: Sendable>(
  _ inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  var recorder: GraphRecorder?
  for input in repeat each inputs { recorder = recorder ?? input.recorder }
  return Signal(site: Site("zip", fileID, line, function), recorder: recorder) { downstream, subscription in
    let junction = Junction(downstream, subscription)
    var layout = InputLayout()
    repeat layout.append((each Input).self)
    if layout.count == 0 { return junction.run { junction.end(.finished) } }
    let queues = InputQueues(layout)
    let emit: @Sendable () throws -> Void = {
      queues.fillRow()
      defer { queues.emptyRow() }
      // Safe: the row is complete, and laid out as this tuple.
      try junction.emit(queues.row.assumingMemoryBound(to: (repeat each Input).self).pointee)
    }
    var index = 0
    for input in repeat each inputs {
      connectZipped(input, queues, index, junction, emit)
      index += 1
    }
  }
}

extension Signal {
  /// Delivers this signal's and others' values in step; see ``zip(_:fileID:line:function:)``.
  @inlinable
  public func zip<each Other: Sendable>(
    _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, repeat each Other)> {
    Signals.zip(self, repeat each others, fileID: fileID, line: line, function: function)
  }
}

/// Connects one input. It is not specialised for the type of its values, so it takes them by pointer.
@usableFromInline
func connectZipped<Value, Output>(
  _ input: Signal<Value>, _ queues: InputQueues, _ index: Int, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable () throws -> Void
) {
  junction.connectByPointer(input, queues.kind(index)) { value in
    guard queues.append(value, index) else { return }
    try emit()
    if queues.isOver { junction.end(.finished) }
  } end: { completion in
    if case .failed = completion { return junction.end(completion) }
    queues.finish(index)
    if queues.isOver { junction.end(.finished) }
  }
}
