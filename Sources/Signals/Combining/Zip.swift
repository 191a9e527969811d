// A separate overload for two, for the same reason as `combineLatest`.
/// Delivers the first values of two signals as a pair, then the second ones, and so on.
///
/// Same as the method ``Signal/zip(_:fileID:line:function:)``, for signals of equal rank.
///
/// ```swift
/// let bag = DisposeBag()
/// let questions = Signal.sequence(["the capital of Peru", "the root of 49"])
/// let answers = Signal.sequence(["Lima", "7"])
/// zip(questions, answers)
///   .subscribe { question, answer in print("\(question): \(answer)") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
/// - **Ends:** as soon as a signal that has finished has no value waiting (law 16).
/// - **Order and threads:** the inputs are subscribed to in the order of the arguments. A pair is delivered where the
///   later of its values is, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a pair. Values wait for those of the other signal, without a limit to their number.
/// - Parameters:
///   - first: The signal whose values come first in the pairs.
///   - second: The signal whose values come second.
///
/// See also ``combineLatest(_:_:fileID:line:function:)``.
@inlinable
public func zip<First: Sendable, Second: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second)> {
  zip(all: first, second, fileID: fileID, line: line, function: function)
}

/// Delivers the values of three or more signals in lockstep; see ``zip(_:_:fileID:line:function:)``.
///
/// With four or more signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
///
/// - Parameters:
///   - first: The signal whose values come first in the rows.
///   - second: The signal whose values come second.
///   - third: The signal whose values come third.
///   - others: Further signals.
@inlinable
public func zip<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second, Third, repeat each Other)> {
  zip(all: first, second, third, repeat each others, fileID: fileID, line: line, function: function)
}

/// Delivers the values of any number of signals in lockstep; for functions that have a parameter pack themselves.
///
/// See ``zip(_:_:fileID:line:function:)``. Finishes at once if there are no signals.
///
/// - Parameter inputs: The signals, as a parameter pack.
@inlinable
public func zip<each Input: Sendable>(
  all inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  joined(
    Site("zip", behavior: [.runsNoClosure, .needsEachInput, .pairs], fileID: fileID, line: line, function: function),
    repeat each inputs,
    by: { connectInStep($0, $1, $2) })
}

extension Signal {
  /// Delivers the first values of this signal and another as a pair, then the second ones, and so on.
  ///
  /// ![zip, as a marble diagram](zip)
  ///
  /// ```text
  /// source   -a-b---c----|
  /// other    ---1--2---|
  ///          source.zip(other)
  /// result   ---p--q---|
  ///
  /// p = (a, 1), q = (b, 2)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let names = Emitter<String>()
  /// let seats = Signal.sequence(1...2)
  /// names.signal
  ///   .zip(seats)
  ///   .subscribe(onValue: { name, seat in print("\(name) has seat \(seat)") }, onFinish: { print("full") })
  ///   .store(in: bag)
  /// for name in ["Ada", "Emmy", "Mary"] { names.send(name) }
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
  /// - **Ends:** as soon as a signal that has finished has no value waiting (law 16).
  /// - **Order and threads:** this signal is subscribed to first, then the other. A pair is delivered where the later
  ///   of its values is, one at a time.
  /// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
  /// - **Allocations:** none for a pair. Values wait for those of the other signal, without a limit to their number.
  /// - Parameter other: The signal whose values come second in the pairs.
  ///
  /// See also ``combineLatest(_:fileID:line:function:)`` and ``withLatest(from:fileID:line:function:)``.
  @inlinable
  public func zip<Other: Sendable>(
    _ other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    Signals.zip(all: self, other, fileID: fileID, line: line, function: function)
  }

  /// Delivers the values of this signal and others in lockstep; see ``zip(_:fileID:line:function:)``.
  ///
  /// With three or more other signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
  ///
  /// - Parameters:
  ///   - second: The signal whose values come second in the rows.
  ///   - third: The signal whose values come third.
  ///   - others: Further signals.
  @inlinable
  public func zip<Second: Sendable, Third: Sendable, each Other: Sendable>(
    _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Second, Third, repeat each Other)> {
    Signals.zip(all: self, second, third, repeat each others, fileID: fileID, line: line, function: function)
  }
}

@usableFromInline
func connectInStep<Output>(
  _ inputs: JoinedInputs, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable (UnsafeMutableRawPointer) throws -> Void
) {
  let queues = InputQueues(inputs.layout)
  for index in 0..<inputs.count {
    inputs.connect(index, to: junction) { value in
      guard queues.append(value, index) else { return }
      try queues.withRow(emit)
      if queues.isOver { junction.end(.finished) }
    } end: { completion in
      if case .failed = completion { return junction.end(completion) }
      queues.finish(index)
      if queues.isOver { junction.end(.finished) }
    }
  }
}

extension InputQueues {
  /// Moves the first value of each queue into the row while a closure runs. No queue may be empty.
  fileprivate func withRow(_ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    fillRow()
    defer { emptyRow() }
    try body(row)
  }
}
