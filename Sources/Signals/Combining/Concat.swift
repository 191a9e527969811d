extension Signal {
  /// Continues with other signals, one after the other, each once the one before it has finished. Fails with the first failure.
  ///
  /// `a.concat(b).concat(c)` is one operator, at the place of the last call; so a long row may be built one call at a time.
  public func concat(
    _ others: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.concat([self] + others, fileID: fileID, line: line, function: function)
  }

  /// Delivers one signal after the other, each once the one before it has finished. Fails with the first failure.
  public static func concat(
    _ signals: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.concat(signals, fileID: fileID, line: line, function: function)
  }

  /// Delivers one signal after the other, each once the one before it has finished. Fails with the first failure.
  public static func concat(
    _ signals: [Signal<Value>],
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let row = SignalParts(.concat, signals) { row, downstream, subscription in
      let queue = Concatenation(row: row, junction: Junction(downstream, subscription))
      queue.junction.run { queue.connectNext() }
    }
    return Signal(Site("concat", fileID: fileID, line: line, function: function), parts: row)
  }
}

private struct Concatenation<Value: Sendable>: Sendable {
  private let row: SignalParts<Value>
  let junction: Junction<Value>
  private let rest: SerialState<[Signal<Value>]>

  init(row: SignalParts<Value>, junction: Junction<Value>) {
    self.row = row
    self.junction = junction
    rest = SerialState(row.reversed)
  }

  func connectNext() {
    guard let signal = row.takeNext(&rest.value) else { return junction.end(.finished) }
    junction.connectInside(signal, as: .values) { value in
      try junction.emit(value)
    } end: { completion in
      if case .failed = completion { return junction.end(completion) }
      // Through the gate rather than from here: a long row of signals that finish at once needs no stack.
      junction.run { connectNext() }
    }
  }
}
