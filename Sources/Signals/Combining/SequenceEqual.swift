public import DequeModule

extension Signal where Value: Equatable {
  /// Delivers whether this signal and another one deliver the same values in the same order, regardless of timing.
  ///
  /// ![sequenceEqual, as a marble diagram](sequenceEqual)
  ///
  /// ```text
  /// source            -a--b-|
  /// other             ---a-b---|
  ///                   source.sequenceEqual(other)
  /// result            ---------(t|)
  ///
  /// t = true
  /// ```
  ///
  /// ![sequenceEqual, as a marble diagram](sequenceEqual-2)
  ///
  /// ```text
  /// source            -a--b-|
  /// other             -a--c----|
  ///                   source.sequenceEqual(other)
  /// result            ----(f|)
  /// other subscribed  ^---!
  ///
  /// f = false
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let code = Signal.sequence([3, 1, 4])
  /// let typed = Emitter<Int>()
  /// typed.signal.prefix(3)
  ///   .sequenceEqual(code)
  ///   .subscribe { isRight in print(isRight ? "open" : "wrong") }
  ///   .store(in: bag)
  /// for digit in [3, 1, 4] { typed.send(digit) }
  /// ```
  ///
  /// - **Errors:** fails with the first failure of either signal, unless it has ended by then.
  /// - **Ends:** right after its only value: `false` as soon as two values differ or one signal has more than the other, `true` when both have
  ///   finished.
  /// - **Order and threads:** this signal is subscribed to first, then the other. The result is delivered where the
  ///   deciding event is.
  /// - **Endless inputs:** one that delivers inside subscribe blocks later inputs: subscribing does not return.
  /// - **Allocations:** none for a value. Values wait for those of the other signal, without a limit to their number.
  /// - Parameter other: The signal to compare with.
  ///
  /// See also ``zip(_:fileID:line:function:)``, and ``sequenceEqual(_:fileID:line:function:by:)`` for a custom
  /// comparison.
  @inlinable
  public func sequenceEqual(
    _ other: Signal<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Signal<Bool> {
    let site = Site(
      "sequenceEqual", behavior: [.runsNoClosure, .decides], fileID: fileID, line: line, function: function)
    return compared(to: other, site) { $0 == $1 }
  }
}

extension Signal {
  /// Delivers whether this signal's values and another's are equal by a custom comparison; see
  /// ``sequenceEqual(_:fileID:line:function:)``.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let words = Signal.sequence(["one", "three"])
  /// let lengths = Signal.sequence([3, 5])
  /// words
  ///   .sequenceEqual(lengths, by: { word, length in word.count == length })
  ///   .subscribe { print($0) }
  ///   .store(in: bag)
  /// ```
  ///
  /// - **Errors:** also fails if the closure throws.
  /// - Parameters:
  ///   - other: The signal to compare with.
  ///   - areEqual: Compares a value of this signal with one of the other.
  @inlinable
  public func sequenceEqual<Other: Sendable>(
    _ other: Signal<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function,
    by areEqual: @escaping @Sendable (Value, Other) throws -> Bool
  ) -> Signal<Bool> {
    compared(
      to: other, Site("sequenceEqual", behavior: .decides, fileID: fileID, line: line, function: function), by: areEqual
    )
  }

  @inlinable
  func compared<Other: Sendable>(
    to other: Signal<Other>, _ site: Site, by areEqual: @escaping @Sendable (Value, Other) throws -> Bool
  ) -> Signal<Bool> {
    let upstream = self
    return Signal<Bool>(site, derivedFrom: self) { downstream, subscription in
      let comparison = SequenceComparison<Value, Other>(Junction(downstream, subscription))
      comparison.junction.connect(upstream) { value in
        if let counterpart = comparison.right.popFirst() {
          if try !areEqual(value, counterpart) { try comparison.decide(false) }
        } else if comparison.isRightFinished {
          try comparison.decide(false)
        } else {
          comparison.left.append(value)
        }
      } end: { completion in
        comparison.isLeftFinished = true
        comparison.end(completion, hasMore: !comparison.right.isEmpty)
      }
      comparison.junction.connect(other) { value in
        if let counterpart = comparison.left.popFirst() {
          if try !areEqual(counterpart, value) { try comparison.decide(false) }
        } else if comparison.isLeftFinished {
          try comparison.decide(false)
        } else {
          comparison.right.append(value)
        }
      } end: { completion in
        comparison.isRightFinished = true
        comparison.end(completion, hasMore: !comparison.left.isEmpty)
      }
    }
  }
}

/// The values of one subscription that are not compared yet: of one signal only, as pairs are compared at once.
// Safe: touched only inside the junction's gate. Unchecked exclusivity: nothing is called while one of these is changed.
@usableFromInline
final class SequenceComparison<Left: Sendable, Right: Sendable>: @unchecked Sendable {
  @usableFromInline let junction: Junction<Bool>
  @exclusivity(unchecked) @usableFromInline var left = Deque<Left>()
  @exclusivity(unchecked) @usableFromInline var right = Deque<Right>()
  @exclusivity(unchecked) @usableFromInline var isLeftFinished = false
  @exclusivity(unchecked) @usableFromInline var isRightFinished = false

  @inlinable
  init(_ junction: Junction<Bool>) {
    self.junction = junction
  }

  /// Delivers the result and ends.
  @usableFromInline
  func decide(_ isEqual: Bool) throws {
    try junction.emit(isEqual)
    junction.end(.finished)
  }

  /// Handles the end of one signal.
  ///
  /// - Parameter hasMore: Whether values of the other one remain.
  @usableFromInline
  func end(_ completion: Completion, hasMore: Bool) {
    if case .failed = completion { return junction.end(completion) }
    junction.attempt {
      if hasMore {
        try decide(false)
      } else if isLeftFinished, isRightFinished, left.isEmpty, right.isEmpty {
        try decide(true)
      }
    }
  }
}
