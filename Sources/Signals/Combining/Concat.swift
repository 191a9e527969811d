extension Signal {
  /// Continues with other signals, each once the previous one has finished.
  ///
  /// `a.concat(b).concat(c)` is one operator, at the location of the last call; so a long chain may be built one call
  /// at a time.
  ///
  /// ![concat, as a marble diagram](concat)
  ///
  /// ```text
  /// source            -a-b|
  /// other             -1-2|
  ///                   source.concat(other)
  /// result            -a-b-1-2|
  /// other subscribed  ----^---!
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let saved = Signal.sequence(["monday", "tuesday"])
  /// let live = Emitter<String>()
  /// saved
  ///   .concat(live.signal)
  ///   .subscribe { day in print(day) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first failure; the signals after it are not subscribed to.
  /// - **Ends:** with the last signal.
  /// - **Order and threads:** a signal is subscribed to where the previous one finishes; values it sends before that
  ///   are missed. A value is delivered where its signal delivers it.
  /// - **Allocations:** none for a value.
  /// - Parameter others: The signals to continue with, in this order.
  ///
  /// See also ``prepend(contentsOf:fileID:line:function:)``, ``merge(with:fileID:line:function:)``, and
  /// ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)``, which with `maxConcurrent: 1` does the same for a signal of signals.
  public func concat(
    _ others: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.concat([self] + others, fileID: fileID, line: line, function: function)
  }

  /// Delivers one signal after the other, each once the previous one has finished; see the method
  /// ``concat(_:fileID:line:function:)-method``.
  ///
  /// - Parameter signals: The signals, in this order.
  public static func concat(
    _ signals: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.concat(signals, fileID: fileID, line: line, function: function)
  }

  /// Delivers the signals of an array one after the other, each once the previous one has finished; see the method
  /// ``concat(_:fileID:line:function:)-method``.
  ///
  /// Finishes at once if there are no signals.
  ///
  /// - Parameter signals: The signals, in this order.
  public static func concat(
    _ signals: [Signal<Value>],
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    row(Site("concat", fileID: fileID, line: line, function: function), signals)
  }

  /// Creates an operator that delivers signals one after the other.
  @usableFromInline
  static func row(_ site: Site, _ signals: [Signal<Value>]) -> Signal<Value> {
    let row = SignalParts(.concat, signals) { row, downstream, subscription in
      let queue = Concatenation(row: row, junction: Junction(downstream, subscription, hasOneInput: true))
      queue.junction.run { queue.connectNext() }
    }
    return Signal(site, parts: row)
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
      // Through the gate rather than from here: a long chain of signals that finish at once needs no stack.
      junction.run { connectNext() }
    }
  }
}
