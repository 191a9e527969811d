/// Delivers the latest values of all signals as an array, once each has delivered one, and again with each further
/// value.
///
/// ![combineLatest, as a marble diagram](combineLatest-2)
///
/// ```text
/// source   -a---b------|
/// other    ---1----2---|
///          combineLatest([source, other])
/// result   ---p-q--r---|
///
/// p = [a, 1], q = [b, 1], r = [b, 2]
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let fields = ["name", "street", "town"].map { _ in Property(false) }
/// combineLatest(fields.map(\.signal))
///   .map { areValid in areValid.allSatisfy { $0 } }
///   .subscribe { isValid in print(isValid) }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** when all have finished, when one finishes without a value (law 16), and at once if there are no signals.
/// - **Order and threads:** the inputs are subscribed to in their order. An array is delivered where the value that
///   causes it is, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for an array, unless the previous one is still retained: then it is copied.
/// - Parameter inputs: The signals, in the order of the arrays.
/// - Complexity: O(1) for an array, O(*n*) if the previous one is still retained.
///
/// See also ``combineLatest(_:_:fileID:line:function:)`` for signals of different types.
@inlinable
public func combineLatest<Value: Sendable>(
  _ inputs: [Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<[Value]> {
  joined(
    Site(
      "combineLatest", behavior: [.passesOn, .keepsState, .runsNoClosure, .combinesLatest, .needsEachInput],
      fileID: fileID, line: line, function: function), inputs, as: LatestValues<Value>.self)
}

/// The latest values of several inputs.
@usableFromInline
struct LatestValues<Value: Sendable>: ArrayRows {
  /// All values, once each input has one; else empty.
  @usableFromInline var row: [Value] = []
  /// The values so far, as long as one is missing.
  @usableFromInline var first: [Value?]
  @usableFromInline var missing: Int
  @usableFromInline var unfinished: Int

  @inlinable
  init(count: Int) {
    first = Array(repeating: nil, count: count)
    missing = count
    unfinished = count
  }

  @inlinable
  mutating func take(_ value: Value, _ index: Int) -> RowStep {
    if missing == 0 {
      row[index] = value
      return RowStep(isComplete: true)
    }
    if first[index] == nil { missing -= 1 }
    first[index] = value
    if missing > 0 { return RowStep() }
    row = first.compactMap { $0 }
    first = []
    return RowStep(isComplete: true)
  }

  @inlinable
  mutating func finish(_ index: Int) -> RowStep {
    unfinished -= 1
    return RowStep(isOver: unfinished == 0 || (missing > 0 && first[index] == nil))
  }
}
