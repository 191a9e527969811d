// A separate overload for two, for the same reason as `combineLatest`.
/// Waits for two signals to finish, and delivers their last values as a pair.
///
/// It runs work concurrently and continues when all is done.
///
/// ![forkJoin, as a marble diagram](forkJoin)
///
/// ```text
/// source   -a---b|
/// other    ---1--2-3|
///          forkJoin(source, other)
/// result   ---------(p|)
///
/// p = (b, 3)
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let name = Signal.timer(after: .seconds(1), on: .main).map { "Ada" }
/// let picture = Signal.timer(after: .seconds(2), on: .main).map { [0xFF, 0xD8] }
/// forkJoin(name, picture)
///   .subscribe { name, picture in print("\(name) has a picture of \(picture.count) bytes") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
/// - **Ends:** right after the pair, when both have finished; without a pair as soon as one finishes without a value.
///   If one signal never finishes, no pair is delivered.
/// - **Order and threads:** the inputs are subscribed to in the order of the arguments, and run concurrently. The pair
///   is delivered where the later end is.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a value.
/// - Parameters:
///   - first: The signal whose last value comes first in the pair.
///   - second: The signal whose last value comes second.
///
/// See also ``combineLatest(_:_:fileID:line:function:)``, ``zip(_:_:fileID:line:function:)`` and ``forkJoin(_:fileID:line:function:)`` for any
/// number of signals of one type.
@inlinable
public func forkJoin<First: Sendable, Second: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second)> {
  forkJoin(all: first, second, fileID: fileID, line: line, function: function)
}

/// Waits for three or more signals to finish, and delivers their last values as a tuple; see
/// ``forkJoin(_:_:fileID:line:function:)``.
///
/// With four or more signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
///
/// - Parameters:
///   - first: The signal whose last value comes first in the row.
///   - second: The signal whose last value comes second.
///   - third: The signal whose last value comes third.
///   - others: Further signals.
@inlinable
public func forkJoin<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second, Third, repeat each Other)> {
  forkJoin(all: first, second, third, repeat each others, fileID: fileID, line: line, function: function)
}

/// Waits for any number of signals to finish; for functions that have a parameter pack themselves.
///
/// See ``forkJoin(_:_:fileID:line:function:)``. Finishes at once if there are no signals.
///
/// - Parameter inputs: The signals, as a parameter pack.
@inlinable
public func forkJoin<each Input: Sendable>(
  all inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  joined(
    Site(
      "forkJoin", behavior: [.runsNoClosure, .needsEachInput, .emitsAtEnd], fileID: fileID, line: line,
      function: function),
    repeat each inputs,
    by: { connectLast($0, $1, $2) })
}

extension Signal {
  /// Waits for this signal and another to finish, and delivers their last values as a pair.
  ///
  /// Same as the function ``forkJoin(_:_:fileID:line:function:)``, in a chain.
  ///
  /// ![forkJoin, as a marble diagram](forkJoin-2)
  ///
  /// ```text
  /// source   -a---b|
  /// other    ---1--2-3|
  ///          source.forkJoin(other)
  /// result   ---------(p|)
  ///
  /// p = (b, 3)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let name = Signal.timer(after: .seconds(1), on: .main).map { "Ada" }
  /// let picture = Signal.timer(after: .seconds(2), on: .main).map { [0xFF, 0xD8] }
  /// name.forkJoin(picture)
  ///   .subscribe { name, picture in print("\(name) has a picture of \(picture.count) bytes") }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
  /// - **Ends:** right after the pair, when both have finished; without a pair as soon as one finishes without a value.
  /// - **Order and threads:** this signal is subscribed to first, then the other; both run concurrently. The pair is
  ///   delivered where the later end is.
  /// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
  /// - **Allocations:** none for a value.
  /// - Parameter other: The signal whose last value comes second in the pair.
  ///
  /// See also ``combineLatest(_:fileID:line:function:)`` and ``zip(_:fileID:line:function:)``.
  @inlinable
  public func forkJoin<Other: Sendable>(
    _ other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    Signals.forkJoin(all: self, other, fileID: fileID, line: line, function: function)
  }

  /// Waits for this signal and others to finish, and delivers their last values as a tuple; see
  /// ``forkJoin(_:fileID:line:function:)``.
  ///
  /// With three or more other signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
  ///
  /// - Parameters:
  ///   - second: The signal whose last value comes second in the row.
  ///   - third: The signal whose last value comes third.
  ///   - others: Further signals.
  @inlinable
  public func forkJoin<Second: Sendable, Third: Sendable, each Other: Sendable>(
    _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Second, Third, repeat each Other)> {
    Signals.forkJoin(all: self, second, third, repeat each others, fileID: fileID, line: line, function: function)
  }
}

@usableFromInline
func connectLast<Output>(
  _ inputs: JoinedInputs, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable (UnsafeMutableRawPointer) throws -> Void
) {
  let row = InputRow(inputs.layout)
  let unfinished = SerialState(inputs.count)
  for index in 0..<inputs.count {
    let cell = row.cell(index)
    inputs.connect(index, to: junction) { value in
      _ = cell.keep(value)
    } end: { completion in
      if case .failed = completion { return junction.end(completion) }
      if !cell.hasValue { return junction.end(.finished) }
      unfinished.value -= 1
      guard unfinished.value == 0 else { return }
      junction.attempt { try emit(cell.row.memory) }
      junction.end(.finished)
    }
  }
}
