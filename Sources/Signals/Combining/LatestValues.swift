/// Delivers the latest values of all signals as a dictionary by key, once each has delivered one, and again with each
/// further value.
///
/// ![latestValues, as a marble diagram](latestValues-of)
///
/// ```text
/// source   -1---2------|
/// other    ---8----9---|
///          latestValues(of: ["a": source, "b": other])
/// result   ---p-q--r---|
///
/// p = [a: 1, b: 8], q = [a: 2, b: 8], r = [a: 2, b: 9]
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let fields = ["name": Property(""), "street": Property("")]
/// latestValues(of: fields.mapValues(\.signal))
///   .map { texts in texts.filter(\.value.isEmpty).keys.sorted() }
///   .subscribe { missing in print("missing: \(missing)") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** when all have finished, when one finishes without a value (law 16), and at once if there are no signals.
/// - **Order and threads:** the inputs are subscribed to in the order of their keys' descriptions, as a dictionary's
///   order differs in each run of a program. A dictionary is delivered where the value that causes it is, one at a
///   time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a dictionary, unless the previous one is still retained: then it is copied.
/// - Parameter inputs: The signals by the keys of the dictionaries.
/// - Complexity: O(1) for a dictionary, O(*n*) if the previous one is still retained.
///
/// See also ``combineLatest(_:fileID:line:function:)`` for an array of signals, and ``combineLatest(_:_:fileID:line:function:)`` for signals of
/// different types.
@inlinable
public func latestValues<Key: Hashable & Sendable, Value: Sendable>(
  of inputs: [Key: Signal<Value>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<[Key: Value]> {
  let inputs = inputs.map { (text: String(describing: $0.key), key: $0.key, signal: $0.value) }
    .sorted { $0.text < $1.text }
  let site = Site(
    "latestValues", behavior: [.passesOn, .keepsState, .runsNoClosure, .combinesLatest, .needsEachInput],
    fileID: fileID, line: line,
    function: function)
  return Signal<[Key: Value]>(site, derivedFrom: inputs.map(\.signal)) { downstream, subscription in
    guard !inputs.isEmpty else { return subscription.end(downstream, .finished) }
    let junction = Junction(downstream, subscription)
    let latest = SerialState(LatestValuesByKey<Key, Value>(count: inputs.count))
    for (_, key, input) in inputs {
      junction.connect(input) { value in
        if latest.value.keep(value, key) { try junction.emit(latest.value.values) }
      } end: { completion in
        if case .failed = completion { return junction.end(completion) }
        if latest.value.finishOne(key) { junction.end(.finished) }
      }
    }
  }
}

/// The latest values of several inputs with keys.
@usableFromInline
struct LatestValuesByKey<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline var values: [Key: Value]
  @usableFromInline var missing: Int
  @usableFromInline var unfinished: Int

  @inlinable
  init(count: Int) {
    values = Dictionary(minimumCapacity: count)
    missing = count
    unfinished = count
  }

  /// Replaces an input's value; returns whether each input has one.
  @inlinable
  mutating func keep(_ value: Value, _ key: Key) -> Bool {
    if values.updateValue(value, forKey: key) == nil { missing -= 1 }
    return missing == 0
  }

  /// Notes that an input has finished; returns whether the result is complete.
  @inlinable
  mutating func finishOne(_ key: Key) -> Bool {
    unfinished -= 1
    return unfinished == 0 || values[key] == nil
  }
}
