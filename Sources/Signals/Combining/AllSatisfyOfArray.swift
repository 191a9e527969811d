/// Delivers whether the latest values of all signals are `true`, once each has delivered one, and again with each
/// further value.
///
/// ![allSatisfy, as a marble diagram](allSatisfy)
///
/// ```text
/// source   -t---f------|
/// other    ---t----t---|
///          allSatisfy([source, other])
/// result   ---t-f--f---|
///
/// t = true, f = false
/// ```
///
/// ```swift
/// let bag = DisposeBag()
/// let (hasName, hasAddress) = (Property(false), Property(false))
/// allSatisfy([hasName.signal, hasAddress.signal])
///   .removeDuplicates()
///   .subscribe { isEnabled in print("the button is \(isEnabled ? "on" : "off")") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of any signal, and unsubscribes from the others.
/// - **Ends:** when all have finished, or when one finishes without a value (law 16). Without signals, delivers `true`
///   and finishes, both at once.
/// - **Order and threads:** the inputs are subscribed to in their order. A result is delivered where the value that
///   causes it is, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a result.
/// - Parameter inputs: The signals.
/// - Complexity: O(1) for a result.
///
/// See also ``anySatisfy(_:fileID:line:function:)``, ``combineLatest(_:fileID:line:function:)`` for other values, and
/// ``Signal/allSatisfy(fileID:line:function:_:)`` for all values of one signal.
@inlinable
public func allSatisfy(
  _ inputs: [Signal<Bool>],
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<Bool> {
  let count = inputs.count
  return latestAnswers(
    Site(
      "allSatisfy", behavior: [.passesOn, .runsNoClosure, .combinesLatest, .needsEachInput], fileID: fileID, line: line,
      function: function), inputs
  ) { $0 == count }
}

/// Delivers the result of a closure that gets the number of inputs that are true.
@usableFromInline
func latestAnswers(
  _ site: Site, _ inputs: [Signal<Bool>], _ answer: @escaping @Sendable (_ trueCount: Int) -> Bool
) -> Signal<Bool> {
  Signal<Bool>(site, derivedFrom: inputs) { downstream, subscription in
    let junction = Junction(downstream, subscription)
    if inputs.isEmpty {
      return junction.run {
        junction.attempt { try junction.emit(answer(0)) }
        junction.end(.finished)
      }
    }
    let latest = SerialState(LatestAnswers(count: inputs.count))
    for (index, input) in inputs.enumerated() {
      junction.connect(input) { value in
        if latest.value.keep(value, index) { try junction.emit(answer(latest.value.trueCount)) }
      } end: { completion in
        if case .failed = completion { return junction.end(completion) }
        if latest.value.finishOne(index) { junction.end(.finished) }
      }
    }
  }
}

/// The latest values of several Boolean inputs.
private struct LatestAnswers: Sendable {
  /// The number of those that are `true`.
  private(set) var trueCount = 0
  private var answers: [Bool?]
  private var missing: Int
  private var unfinished: Int

  init(count: Int) {
    answers = Array(repeating: nil, count: count)
    missing = count
    unfinished = count
  }

  /// Replaces an input's value; returns whether each input has one.
  mutating func keep(_ value: Bool, _ index: Int) -> Bool {
    switch answers[index] {
    case nil: missing -= 1
    case true?: trueCount -= 1
    case false?: break
    }
    answers[index] = value
    if value { trueCount += 1 }
    return missing == 0
  }

  /// Notes that an input has finished; returns whether the result is complete.
  mutating func finishOne(_ index: Int) -> Bool {
    unfinished -= 1
    return unfinished == 0 || answers[index] == nil
  }
}
