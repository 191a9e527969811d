extension Signal {
  // A separate overload for two, for the same reason as `combineLatest`.
  /// Delivers each value together with the latest value of another signal, once that has delivered one.
  ///
  /// A value of the other signal alone causes no delivery. Values before its first one are dropped.
  ///
  /// ![withLatest, as a marble diagram](withLatest-from)
  ///
  /// ```text
  /// source   -a-b--c---|
  /// other    --1-2-----|
  ///          source.withLatest(from: other)
  /// result   ---p--q---|
  ///
  /// p = (b, 1), q = (c, 2)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let saves = Emitter<Void>()
  /// let text = Property("draft")
  /// saves.signal
  ///   .withLatest(from: text.signal)
  ///   .subscribe { _, text in print("saving \(text)") }
  ///   .store(in: bag)
  /// saves.send()
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
  /// - **Ends:** with this signal. When the other one finishes, its latest value stays in use.
  /// - **Order and threads:** the other signal is subscribed to first. A pair is delivered where this signal delivers,
  ///   one at a time.
  /// - **Endless inputs:** another signal that delivers inside subscribe blocks this one: subscribing does not return.
  /// - **Allocations:** none for a pair.
  /// - Parameter other: The signal whose latest values come second in the pairs.
  ///
  /// See also ``combineLatest(_:fileID:line:function:)``, where the values of both cause pairs.
  @inlinable
  public func withLatest<Other: Sendable>(
    from other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    joined(
      Site(
        "withLatest(from:)", behavior: [.passesOn, .runsNoClosure, .needsEachInput, .samples], fileID: fileID,
        line: line, function: function), self, other,
      by: { connectWithLatest($0, $1, $2) })
  }

  /// Delivers each value together with the latest values of other signals; see ``withLatest(from:fileID:line:function:)``.
  ///
  /// With three or more other signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
  ///
  /// - Parameters:
  ///   - second: The signal whose latest values come second in the rows.
  ///   - third: The signal whose latest values come third.
  ///   - others: Further signals.
  @inlinable
  public func withLatest<Second: Sendable, Third: Sendable, each Other: Sendable>(
    from second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Second, Third, repeat each Other)> {
    joined(
      Site(
        "withLatest(from:)", behavior: [.passesOn, .runsNoClosure, .needsEachInput, .samples], fileID: fileID,
        line: line, function: function), self, second, third,
      repeat each others, by: { connectWithLatest($0, $1, $2) })
  }
}

/// The first input causes rows; the others, which are connected before it, only supply values.
@usableFromInline
func connectWithLatest<Output>(
  _ inputs: JoinedInputs, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable (UnsafeMutableRawPointer) throws -> Void
) {
  let row = InputRow(inputs.layout)
  for index in 1..<inputs.count {
    let cell = row.cell(index)
    inputs.connect(index, to: junction, as: .sampled) { value in
      _ = cell.keep(value)
    } end: { completion in
      if case .failed = completion { junction.end(completion) }
    }
  }
  let main = row.cell(0)
  inputs.connect(0, to: junction) { value in
    if main.keep(value) { try emit(main.row.memory) }
  } end: { completion in
    junction.end(completion)
  }
}
