// A form of its own for two: the compiler does not look into a tuple that ends with a pack, so `.map { $0.1 }` needs plain types.
/// Delivers the latest values of two signals together, once each has delivered one, whenever one delivers another.
///
/// Finishes when both have finished, or when one finishes without a value (law 16); fails with the first failure.
@inlinable
public func combineLatest<First: Sendable, Second: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second)> {
  combineLatest(all: first, second, fileID: fileID, line: line, function: function)
}

/// Delivers the latest values of three or more signals together; see ``combineLatest(_:_:fileID:line:function:)``.
///
/// With four or more signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
@inlinable
public func combineLatest<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second, Third, repeat each Other)> {
  combineLatest(
    all: first, second, third, repeat each others, fileID: fileID, line: line, function: function)
}

/// Delivers the latest values of any number of signals together; for functions that have a parameter pack of their own.
///
/// See ``combineLatest(_:_:fileID:line:function:)``. Finishes at once if there are no signals.
@inlinable
public func combineLatest<each Input: Sendable>(
  all inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  return Signal(Site("combineLatest", fileID: fileID, line: line, function: function), derivedFrom: repeat each inputs)
  { downstream, subscription in
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
  /// Delivers this signal's and another's latest values together; see ``combineLatest(_:_:fileID:line:function:)``.
  @inlinable
  public func combineLatest<Other: Sendable>(
    _ other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    Signals.combineLatest(all: self, other, fileID: fileID, line: line, function: function)
  }

  /// Delivers this signal's and others' latest values together; see ``combineLatest(_:_:_:_:fileID:line:function:)``.
  @inlinable
  public func combineLatest<Second: Sendable, Third: Sendable, each Other: Sendable>(
    _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Second, Third, repeat each Other)> {
    Signals.combineLatest(
      all: self, second, third, repeat each others, fileID: fileID, line: line, function: function)
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
