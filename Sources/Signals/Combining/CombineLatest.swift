// A separate overload for two: the compiler does not look into a tuple that ends with a pack, so `.map { $0.1 }` needs
// plain types.
/// Delivers the latest values of two signals as a pair, once each has delivered one, and again with each further value.
///
/// Same as the method ``Signal/combineLatest(_:fileID:line:function:)``, for signals of equal rank.
///
/// ```swift
/// let bag = DisposeBag()
/// let name = Property("")
/// let isAccepted = Property(false)
/// combineLatest(name.signal, isAccepted.signal)
///   .map { name, isAccepted in !name.isEmpty && isAccepted }
///   .subscribe { isEnabled in print("the button is \(isEnabled ? "on" : "off")") }
///   .store(in: bag)
/// ```
///
/// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
/// - **Ends:** when both have finished, or when one finishes without a value (law 16).
/// - **Order and threads:** the inputs are subscribed to in the order of the arguments. A pair is delivered where the
///   value that causes it is, one at a time.
/// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
/// - **Allocations:** none for a pair.
/// - Parameters:
///   - first: The signal whose values come first in the pairs.
///   - second: The signal whose values come second.
///
/// See also ``zip(_:_:fileID:line:function:)``, ``Signal/withLatest(from:fileID:line:function:)`` and
/// ``combineLatest(_:fileID:line:function:)`` for any number of signals of one type.
@inlinable
public func combineLatest<First: Sendable, Second: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second)> {
  let site = Site(
    "combineLatest", behavior: [.passesOn, .keepsState, .runsNoClosure, .combinesLatest, .needsEachInput],
    fileID: fileID, line: line, function: function)
  return Signal(site, derivedFrom: first, second) { downstream, subscription in
    LatestPair(Junction(downstream, subscription)).connect(first, second)
  }
}

/// Delivers the latest values of three or more signals as a tuple; see ``combineLatest(_:_:fileID:line:function:)``.
///
/// With four or more signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
///
/// ```swift
/// let bag = DisposeBag()
/// let (red, green, blue, alpha) = (Property(0), Property(0), Property(0), Property(1))
/// combineLatest(red.signal, green.signal, blue.signal, alpha.signal)
///   .subscribe { red, green, blue, alpha in print(red, green, blue, alpha) }
///   .store(in: bag)
/// ```
///
/// - Parameters:
///   - first: The signal whose values come first in the rows.
///   - second: The signal whose values come second.
///   - third: The signal whose values come third.
///   - others: Further signals.
@inlinable
public func combineLatest<First: Sendable, Second: Sendable, Third: Sendable, each Other: Sendable>(
  _ first: Signal<First>, _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(First, Second, Third, repeat each Other)> {
  combineLatest(
    all: first, second, third, repeat each others, fileID: fileID, line: line, function: function)
}

/// Delivers the latest values of any number of signals as a tuple; for functions that have a parameter pack themselves.
///
/// See ``combineLatest(_:_:fileID:line:function:)``. Finishes at once if there are no signals.
///
/// ```swift
/// let bag = DisposeBag()
///
/// func report<each Value: Sendable>(_ signals: repeat Signal<each Value>) -> Signal<String> {
///   combineLatest(all: repeat each signals).map { row in "\(row)" }
/// }
/// report(Property(1).signal, Property("one").signal).subscribe { print($0) }.store(in: bag)
/// ```
///
/// - Parameter inputs: The signals, as a parameter pack.
@inlinable
public func combineLatest<each Input: Sendable>(
  all inputs: repeat Signal<each Input>,
  fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
) -> Signal<(repeat each Input)> {
  joined(
    Site(
      "combineLatest", behavior: [.passesOn, .keepsState, .runsNoClosure, .combinesLatest, .needsEachInput],
      fileID: fileID, line: line, function: function), repeat each inputs,
    by: { connectLatest($0, $1, $2) })
}

extension Signal {
  /// Delivers the latest values of this signal and another as a pair, once each has delivered one, and again with each
  /// further value.
  ///
  /// ![combineLatest, as a marble diagram](combineLatest)
  ///
  /// ```text
  /// source   -a---b------|
  /// other    ---1----2---|
  ///          source.combineLatest(other)
  /// result   ---p-q--r---|
  ///
  /// p = (a, 1), q = (b, 1), r = (b, 2)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let price = Property(3)
  /// let count = Property(1)
  /// price.signal
  ///   .combineLatest(count.signal)
  ///   .map { price, count in price * count }
  ///   .subscribe { sum in print("\(sum) €") }
  ///   .store(in: bag)
  /// count.value = 2
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal, and unsubscribes from the other.
  /// - **Ends:** when both have finished, or when one finishes without a value (law 16).
  /// - **Order and threads:** this signal is subscribed to first, then the other. A pair is delivered where the value
  ///   that causes it is, one at a time. Of several values that one signal delivers before the other has delivered any,
  ///   only the latest is used.
  /// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
  /// - **Allocations:** none for a pair.
  /// - Parameter other: The signal whose values come second in the pairs.
  ///
  /// See also ``withLatest(from:fileID:line:function:)``, where only this signal's values cause pairs, and ``zip(_:fileID:line:function:)``.
  @inlinable
  public func combineLatest<Other: Sendable>(
    _ other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Other)> {
    Signals.combineLatest(self, other, fileID: fileID, line: line, function: function)
  }

  /// Delivers the latest values of this signal and others as a tuple; see ``combineLatest(_:fileID:line:function:)``.
  ///
  /// With three or more other signals, name the values, `{ a, b, c, d in }`, or write `$3`: `$0.3` does not compile.
  ///
  /// - Parameters:
  ///   - second: The signal whose values come second in the rows.
  ///   - third: The signal whose values come third.
  ///   - others: Further signals.
  @inlinable
  public func combineLatest<Second: Sendable, Third: Sendable, each Other: Sendable>(
    _ second: Signal<Second>, _ third: Signal<Third>, _ others: repeat Signal<each Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<(Value, Second, Third, repeat each Other)> {
    Signals.combineLatest(
      all: self, second, third, repeat each others, fileID: fileID, line: line, function: function)
  }
}

@usableFromInline
func connectLatest<Output>(
  _ inputs: JoinedInputs, _ junction: Junction<Output>,
  _ emit: @escaping @Sendable (UnsafeMutableRawPointer) throws -> Void
) {
  let row = InputRow(inputs.layout)
  let unfinished = SerialState(inputs.count)
  for index in 0..<inputs.count {
    let cell = row.cell(index)
    inputs.connect(index, to: junction) { value in
      if cell.keep(value) { try emit(cell.row.memory) }
    } end: { completion in
      unfinished.value -= 1
      if case .failed = completion { return junction.end(completion) }
      if unfinished.value == 0 || !cell.hasValue { junction.end(.finished) }
    }
  }
}

/// The latest values of two signals, for one subscription. One object, so that the closures of the inputs need no memory.
// Safe: touched only inside the junction's gate. Unchecked exclusivity: code that the release of an old value runs
// finds the new one, and waits at the gate with its own values.
@usableFromInline
final class LatestPair<First: Sendable, Second: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Junction<(First, Second)>
  @exclusivity(unchecked) @usableFromInline var first: First?
  @exclusivity(unchecked) @usableFromInline var second: Second?
  @exclusivity(unchecked) private var unfinished = 2

  @usableFromInline
  init(_ junction: Junction<(First, Second)>) {
    self.junction = junction
  }

  @inlinable
  func connect(_ first: Signal<First>, _ second: Signal<Second>) {
    junction.connect(first) { value in
      try self.takeFirst(value)
    } end: { completion in
      self.ended(completion, hasValue: self.first != nil)
    }
    junction.connect(second) { value in
      try self.takeSecond(value)
    } end: { completion in
      self.ended(completion, hasValue: self.second != nil)
    }
  }

  @inlinable
  func takeFirst(_ value: First) throws {
    // The old value is released here: that may dispose the subscription.
    first = value
    if let second { try junction.emit((value, second)) }
  }

  @inlinable
  func takeSecond(_ value: Second) throws {
    second = value
    if let first { try junction.emit((first, value)) }
  }

  @usableFromInline
  func ended(_ completion: Completion, hasValue: Bool) {
    unfinished -= 1
    if case .failed = completion { return junction.end(completion) }
    if unfinished == 0 || !hasValue { junction.end(.finished) }
  }
}
