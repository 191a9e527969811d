/// Delivers the latest values of all signals by their keys, once each has delivered one, whenever one delivers another.
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
/// - **Errors:** fails with the first failure of any signal; the others are left.
/// - **Ends:** when all have finished, when one finishes without a value (law 16), and at once if there are no signals.
/// - **Order and threads:** the inputs are subscribed to in the order of the texts that describe their keys, as a dictionary has another order in
///   each run of a program. A dictionary comes where the value that causes it is delivered, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe lets no later input come: subscribing does not return.
/// - **Allocations:** none for a dictionary, unless somebody keeps the one before: then it is copied.
/// - Parameter inputs: The signals; each dictionary has their keys.
/// - Complexity: O(1) for a dictionary, O(*n*) if somebody keeps the one before.
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
    "latestValues", behavior: [.passesOn, .keepsState, .combinesLatest, .needsEachInput], fileID: fileID, line: line,
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

/// The latest values of several inputs that have keys.
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

  /// Keeps a value instead of the one before; returns whether there is one of each input.
  @inlinable
  mutating func keep(_ value: Value, _ key: Key) -> Bool {
    if values.updateValue(value, forKey: key) == nil { missing -= 1 }
    return missing == 0
  }

  /// Notes that an input has finished; returns whether there is nothing more to come.
  @inlinable
  mutating func finishOne(_ key: Key) -> Bool {
    unfinished -= 1
    return unfinished == 0 || values[key] == nil
  }
}
