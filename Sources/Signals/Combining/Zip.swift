// A form of its own for two, for the reason that `combineLatest` has.
/// Delivers the first values of two signals together, then the second ones, and so on.
///
/// Values wait until each signal has delivered its own. Finishes as soon as a finished signal has no value waiting (law 16); fails with the
/// first failure.
@inlinable
public func zip<First: Sendable, Second: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second)> {
  zip(all: first, second, fileID: fileID, line: line, function: function)
}

/// Delivers the values of three or more signals in step; see ``zip(_:_:fileID:line:function:)``.
///
/// With four or more signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
@inlinable
public func zip<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second, Third, repeat each Other)> {
  zip(all: first, second, third, repeat each others, fileID: fileID, line: line, function: function)
}

/// Delivers the values of any number of signals in step; for functions that have a parameter pack of their own.
///
/// See ``zip(_:_:fileID:line:function:)``. Finishes at once if there are no signals.
@inlinable
public func zip<each Input: Sendable>(
  all inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  return Signal(Site("zip", fileID: fileID, line: line, function: function), derivedFrom: repeat each inputs) {
    downstream, subscription in
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
  /// Delivers this signal's and another's values in step; see ``zip(_:_:fileID:line:function:)``.
  @inlinable
  public func zip<Other: Sendable>(
    _ other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    Signals.zip(all: self, other, fileID: fileID, line: line, function: function)
  }

  /// Delivers this signal's and others' values in step; see ``zip(_:_:_:_:fileID:line:function:)``.
  @inlinable
  public func zip<Second: Sendable, Third: Sendable, each Other: Sendable>(
    _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Second, Third, repeat each Other)> {
    Signals.zip(all: self, second, third, repeat each others, fileID: fileID, line: line, function: function)
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
