extension Signal {
  // A form of its own for two, for the reason that `combineLatest` has.
  /// Delivers each value together with the latest value of another signal, once that has delivered one.
  ///
  /// The other signal only supplies: its values alone deliver nothing. Values that come before its first one are dropped.
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
  /// - Errors: fails with the first failure of either signal; the other one is left.
  /// - Ends: with this signal. When the other one finishes, its latest value stays.
  /// - Order and threads: the other signal is subscribed to first. A pair comes where this signal delivers, one at a time.
  /// - Allocations: none for a pair.
  /// - Parameter other: The signal whose latest values come second in the pairs.
  ///
  /// See also ``combineLatest(_:fileID:line:function:)``, where the values of both cause pairs.
  @inlinable
  public func withLatest<Other: Sendable>(
    from other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    withLatest(all: other, at: Site("withLatest(from:)", fileID: fileID, line: line, function: function))
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
    withLatest(
      all: second, third, repeat each others,
      at: Site("withLatest(from:)", fileID: fileID, line: line, function: function))
  }

  @inlinable
  func withLatest<each Other: Sendable>(
    all others: repeat Signal<each Other>, at site: Site
  ) -> Signal<(Value, repeat each Other)> {
    let upstream = self
    return Signal<(Value, repeat each Other)>(site, derivedFrom: self) { downstream, subscription in
      let junction = Junction(downstream, subscription)
      var layout = InputLayout()
      layout.append(Value.self)
      repeat layout.append((each Other).self)
      layout.assertDescribes((Value, repeat each Other).self)
      let row = InputRow(layout)
      var index = 1
      for other in repeat each others {
        connectSupply(other, row, index, junction)
        index += 1
      }
      connectMain(upstream, row, junction) {
        // Safe: called when the row is complete, and laid out as this tuple.
        try junction.emit(row.memory.assumingMemoryBound(to: (Value, repeat each Other).self).pointee)
      }
    }
  }
}

/// Connects an input that only supplies.
@usableFromInline
func connectSupply<Value, Output>(_ other: Signal<Value>, _ row: InputRow, _ index: Int, _ junction: Junction<Output>) {
  let cell = row.cell(index)
  junction.connectByPointer(other, cell.kind, as: .trigger) { value in
    _ = cell.keep(value)
  } end: { completion in
    if case .failed = completion { junction.end(completion) }
  }
}

/// Connects the input whose values cause rows.
@usableFromInline
func connectMain<Value, Output>(
  _ main: Signal<Value>, _ row: InputRow, _ junction: Junction<Output>, _ emit: @escaping @Sendable () throws -> Void
) {
  let cell = row.cell(0)
  junction.connectByPointer(main, cell.kind) { value in
    if cell.keep(value) { try emit() }
  } end: { completion in
    junction.end(completion)
  }
}
