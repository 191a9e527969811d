extension ReadableProperty {
  /// A read-only property of this property's value and another's.
  ///
  /// ```text
  /// source   {0}-1---2----|
  /// other    {a}---b---c--|
  ///          source.combined(with: other)
  /// result   {p}-q-r-s-t--|
  ///
  /// p = (0, a), q = (1, a), r = (1, b), s = (2, b), t = (2, c)
  /// ```
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let name = Property("")
  /// let isAccepted = Property(false)
  /// let isEnabled = name.combined(with: isAccepted).map { name, isAccepted in !name.isEmpty && isAccepted }
  /// isEnabled.signal.subscribe { print("the button is \($0 ? "on" : "off")") }.store(in: bag)
  /// name.value = "Ada"
  /// isAccepted.value = true
  /// print(isEnabled.value)
  /// ```
  ///
  /// A pair that is read existed at one instant, even while other threads write. Subscribers get a pair for each change
  /// of either side. If both sides are derived from one property, a change of it changes both sides at once, and
  /// delivers one pair. Such a pair is delivered for each change of a property that either side is derived from, even
  /// one that ``removingDuplicates(fileID:line:function:)`` would drop on its side.
  ///
  /// - **Errors:** none.
  /// - **Ends:** the signals finish once the properties on both sides are deallocated. The result retains them.
  /// - **Order and threads:** a pair is delivered where the change that causes it is, one at a time.
  /// - **Allocations:** none for a change.
  /// - Parameter other: The property whose value comes second.
  ///
  /// See also ``Signal/combineLatest(_:fileID:line:function:)``, whose result is a signal, without a current value.
  @inlinable
  public func combined<Other: Sendable>(
    with other: some ReadableProperty<Other>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> ReadOnlyProperty<(Value, Other)> {
    let (first, second) = (readOnly, other.readOnly)
    let overlaps = first.sources.overlaps(second.sources)
    let behavior: OperatorBehavior =
      overlaps ? .passesOn : [.passesOn, .runsNoClosure, .combinesLatest]
    let site = Site("combined", behavior: behavior, fileID: fileID, line: line, function: function)
    let sources = PropertySources(first.sources, second.sources)
    let (evaluateFirst, evaluateSecond) = (first.evaluator, second.evaluator)
    let evaluator: PropertyEvaluator<(Value, Other)> = { row in
      let (first, second) = (evaluateFirst(row), evaluateSecond(row))
      return { (first(), second()) }
    }
    let pairs =
      overlaps
      ? Signal(site, computedOf: sources.inputs, by: evaluator)
      : joined(site, first.signal, second.signal, by: { connectLatest($0, $1, $2) })
    return ReadOnlyProperty(
      DerivedProperty(
        sources, signal: pairs,
        changes: pairs.withoutCurrent(
          Site("changes", behavior: [.passesOn, .runsNoClosure], fileID: fileID, line: line, function: function)),
        evaluator: evaluator, read: { evaluator(sources.row())() }))
  }
}
