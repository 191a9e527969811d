/// Delivers the latest values of all signals as an array, once each has delivered one, whenever one delivers another.
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
/// - **Errors:** fails with the first failure of any signal; the others are left.
/// - **Ends:** when all have finished, when one finishes without a value (law 16), and at once if there are no signals.
/// - **Order and threads:** the inputs are subscribed to in their order. An array comes where the value that causes it is delivered, one at
///   a time.
/// - **Allocations:** none for an array, unless somebody keeps the one before: then it is copied.
/// - Parameter inputs: The signals; the arrays have their order.
/// - Complexity: O(1) for an array, O(*n*) if somebody keeps the one before.
///
/// See also ``combineLatest(_:_:fileID:line:function:)`` for signals of different types.
@inlinable
public func combineLatest<Value: Sendable>(
  _ inputs: [Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<[Value]> {
  return Signal<[Value]>(Site("combineLatest", fileID: fileID, line: line, function: function), derivedFrom: inputs) {
    downstream, subscription in
    guard !inputs.isEmpty else { return subscription.end(downstream, .finished) }
    let junction = Junction(downstream, subscription)
    let latest = SerialState(LatestValues<Value>(count: inputs.count))
    for (index, input) in inputs.enumerated() {
      junction.connect(input) { value in
        if latest.value.keep(value, index) { try junction.emit(latest.value.row) }
      } end: { completion in
        if case .failed = completion { return junction.end(completion) }
        if latest.value.finishOne(index) { junction.end(.finished) }
      }
    }
  }
}

/// The latest values of several inputs.
@usableFromInline
struct LatestValues<Value: Sendable>: Sendable {
  /// All values, once there is one of each input; else none.
  @usableFromInline private(set) var row: [Value] = []
  /// The values that there are, as long as one is missing.
  private var first: [Value?]
  private var missing: Int
  private var unfinished: Int

  @usableFromInline
  init(count: Int) {
    first = Array(repeating: nil, count: count)
    missing = count
    unfinished = count
  }

  /// Keeps a value instead of the one before; returns whether the row is complete.
  @usableFromInline
  mutating func keep(_ value: Value, _ index: Int) -> Bool {
    if missing == 0 {
      row[index] = value
      return true
    }
    if first[index] == nil { missing -= 1 }
    first[index] = value
    if missing > 0 { return false }
    row = first.compactMap { $0 }
    first = []
    return true
  }

  /// Notes that an input has finished; returns whether there is nothing more to come.
  @usableFromInline
  mutating func finishOne(_ index: Int) -> Bool {
    unfinished -= 1
    return unfinished == 0 || (missing > 0 && first[index] == nil)
  }
}
