/// Waits for all signals to finish, and delivers their last values as an array.
///
/// ![forkJoin, as a marble diagram](forkJoin-3)
///
/// ```text
/// source   -a---b|
/// other    ---1--2-3|
///          forkJoin([source, other])
/// result   ---------(p|)
///
/// p = [b, 3]
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let downloads = ["one.txt", "two.txt"].map { name in
///   Signal.timer(after: .seconds(1), on: .main).map { "the text of \(name)" }
/// }
/// forkJoin(downloads)
///   .subscribe { texts in print("all \(texts.count) are here") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** right after the array, when all have finished; without an array as soon as one finishes without a value,
///   and at once without signals.
/// - **Order and threads:** the inputs are subscribed to in their order, and run concurrently. The array is delivered
///   where the last end is.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a value.
/// - Parameter inputs: The signals, in the order of the array.
///
/// See also ``forkJoin(_:_:fileID:line:function:)`` for signals of different types.
@inlinable
public func forkJoin<Value: Sendable>(
  _ inputs: [Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<[Value]> {
  joined(
    Site(
      "forkJoin", behavior: [.runsNoClosure, .needsEachInput, .emitsAtEnd], fileID: fileID, line: line,
      function: function), inputs,
    as: LastValues<Value>.self)
}

/// The last values of several inputs.
@usableFromInline
struct LastValues<Value: Sendable>: ArrayRows {
  @usableFromInline var row: [Value] = []
  @usableFromInline var last: [Value?]
  @usableFromInline var unfinished: Int

  @inlinable
  init(count: Int) {
    last = Array(repeating: nil, count: count)
    unfinished = count
  }

  @inlinable
  mutating func take(_ value: Value, _ index: Int) -> RowStep {
    last[index] = value
    return RowStep()
  }

  @inlinable
  mutating func finish(_ index: Int) -> RowStep {
    guard last[index] != nil else { return RowStep(isOver: true) }
    unfinished -= 1
    guard unfinished == 0 else { return RowStep() }
    row = last.compactMap { $0 }
    return RowStep(isComplete: true, isOver: true)
  }
}
