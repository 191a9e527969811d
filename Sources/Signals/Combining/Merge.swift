/// Delivers the values of all signals as they are sent.
///
/// Same as the method ``Signal/merge(with:fileID:line:function:)``, for signals of equal rank.
///
/// ```swift
/// let bag = DisposeBag()
/// let button = Emitter<String>()
/// let shortcut = Emitter<String>()
/// merge(button.signal, shortcut.signal)
///   .subscribe { command in print(command) }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** after all have finished; at once if there are none (law 16).
/// - **Order and threads:** the inputs are subscribed to in the order of the arguments. A value is delivered where its
///   signal delivers it, one at a time.
/// - **Allocations:** none for a value.
/// - Parameter signals: The signals.
///
/// See also ``Signal/concat(_:fileID:line:function:)-method`` and ``Signal/flatMap(maxConcurrent:overflow:fileID:line:function:_:)``.
@inlinable
public func merge<Value: Sendable>(
  _ signals: Signal<Value>...,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Value> {
  Signal.merge(signals, fileID: fileID, line: line, function: function)
}

/// Delivers the values of all signals of an array as they are sent; see ``Signal/merge(with:fileID:line:function:)``.
///
/// Finishes at once if there are no signals.
///
/// - Parameter signals: The signals, which are subscribed to in this order.
@inlinable
public func merge<Value: Sendable>(
  _ signals: [Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Value> {
  Signal.merge(signals, fileID: fileID, line: line, function: function)
}

extension Signal {
  /// Delivers the values of this signal and of others as they are sent.
  ///
  /// `a.merge(with: b).merge(with: c)` is one operator, at the location of the last call; so a long chain may be built
  /// one call at a time.
  ///
  /// ![merge, as a marble diagram](merge-with)
  ///
  /// ```text
  /// source   -a---b---|
  /// other    ---1---2--|
  ///          source.merge(with: other)
  /// result   -a-1-b-2--|
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let typed = Emitter<String>()
  /// let pasted = Emitter<String>()
  /// typed.signal
  ///   .merge(with: pasted.signal)
  ///   .subscribe { text in print(text) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
  /// - **Ends:** after all have finished (law 16).
  /// - **Order and threads:** this signal is subscribed to first, then the others in their order. A value is delivered
  ///   where its signal delivers it, one at a time.
  /// - **Allocations:** none for a value.
  /// - Parameter others: The signals to merge with this one.
  ///
  /// See also ``concat(_:fileID:line:function:)-method`` and ``flatMap(maxConcurrent:overflow:fileID:line:function:_:)``.
  @inlinable
  public func merge(
    with others: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.merge([self] + others, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of all signals as they are sent; see ``merge(with:fileID:line:function:)``.
  ///
  /// - Parameter signals: The signals, which are subscribed to in this order.
  @inlinable
  public static func merge(
    _ signals: Signal<Value>...,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    Signal.merge(signals, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of all signals of an array as they are sent; see ``merge(with:fileID:line:function:)``.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let sensors = (1...3).map { _ in Emitter<Double>() }
  /// Signal.merge(sensors.map(\.signal))
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// Finishes at once if there are no signals.
  ///
  /// - Parameter signals: The signals, which are subscribed to in this order.
  @inlinable
  public static func merge(
    _ signals: [Signal<Value>],
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Value> {
    let row = SignalParts(.merge, signals) { row, downstream, subscription in
      let signals = row.flattened
      guard !signals.isEmpty else { return subscription.end(downstream, .finished) }
      let junction = Junction(downstream, subscription)
      let remaining = SerialState(signals.count)
      for signal in signals {
        junction.connect(signal) { value in
          try junction.emit(value)
        } end: { completion in
          remaining.value -= 1
          if case .failed = completion { return junction.end(completion) }
          if remaining.value == 0 { junction.end(.finished) }
        }
      }
    }
    return Signal(
      Site("merge", behavior: [.passesOn, .runsNoClosure, .merges], fileID: fileID, line: line, function: function),
      parts: row)
  }
}
