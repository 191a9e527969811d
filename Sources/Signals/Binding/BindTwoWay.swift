import Synchronization

extension Property where Value: Equatable {
  /// Binds two properties to each other's changes, after this property takes the other's value.
  ///
  /// ```swift
  /// let field = Property("")
  /// let model = Property("Ada")
  /// field.bindTwoWay(with: model)
  /// print(field.value)  // Ada
  /// field.value = "Grace"
  /// print(model.value)  // Grace
  /// model.value = "Edsger"
  /// print(field.value)  // Edsger
  /// ```
  ///
  /// A change is copied once: it does not come back, and a value that is already equal is not written; NaN counts as
  /// equal to itself, so that a ring of bindings settles. Concurrent and nested writes wait for nothing and do not
  /// deepen the stack. When no write is in progress, both have the same value; if both were written at the same time,
  /// one of the two values wins. If one is written faster than changes are copied, the other gets the latest values.
  ///
  /// Neither retains the other: the binding ends when the first of them is deallocated, or when it is disposed. So the
  /// result need not be stored.
  ///
  /// - Parameter other: The property whose value is taken first.
  /// - Returns: The binding, to end it earlier.
  ///
  /// See also ``follow(_:fileID:line:function:)-(ReadableProperty<Value>,_,_,_)``, which copies changes one way.
  @discardableResult
  public func bindTwoWay(
    with other: Property<Value>,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Subscription {
    TwoWayBinding(self, other).connect(SubscriptionSite(fileID, line, function))
  }
}

/// Keeps two properties equal.
///
/// It copies states, not events. For each side it stores the write count at which both were equal. On a change it reads
/// that side's count: if it is the stored one, the binding itself has made the change, or has already copied a later
/// one. So nothing is echoed. One thread at a time copies; others, and handlers further down its stack, only note which
/// side has changed.
private final class TwoWayBinding<Value: Sendable & Equatable>: Sendable {
  private enum Side: Sendable { case first, second }

  private struct State {
    /// The write count of each side when both were equal.
    var known: (first: UInt64, second: UInt64)?
    var isBusy = false
    /// Sides that changed while a thread was copying; the latest is the last.
    var changed: [Side] = []
  }

  private weak let first: Property<Value>?
  private weak let second: Property<Value>?
  private let state = Mutex(State())

  init(_ first: Property<Value>, _ second: Property<Value>) {
    self.first = first
    self.second = second
  }

  /// Copies the second side's value, and from then on each change.
  func connect(_ site: SubscriptionSite) -> Subscription {
    let bag = DisposeBag()
    let binding = Subscription { bag.close() }
    guard let first, let second, first !== second else {
      binding.dispose()
      return binding
    }
    bag += subscribe(to: second, .second, site, endingWith: binding)
    bag += subscribe(to: first, .first, site, endingWith: binding)
    // Not before both are subscribed to, so that no change is missed; the second comes last, as its value is the
    // initial one.
    handOver(.second)
    return binding.retained()
  }

  private func subscribe(
    to property: Property<Value>, _ side: Side, _ site: SubscriptionSite, endingWith binding: Subscription
  ) -> Subscription {
    property.changes.start(
      site,
      Observer(
        receive: { [self] _ in handOver(side) },
        end: { [weak binding] _ in binding?.dispose() }))
  }

  /// Copies the changes of a side, unless a thread is already copying, which then will.
  private func handOver(_ side: Side) {
    let mayBegin = state.withLock { state in
      if state.isBusy {
        state.changed.removeAll { $0 == side }
        state.changed.append(side)
        return false
      }
      state.isBusy = true
      return true
    }
    guard mayBegin else { return }
    var next: Side? = side
    while let side = next {
      if let first, let second {
        switch side {
        case .first: write(first, into: second, isFirst: true)
        case .second: write(second, into: first, isFirst: false)
        }
      }
      next = state.withLock { state in
        // The latest first: the value that it overwrites on the other side is older.
        let side = state.changed.popLast()
        state.isBusy = side != nil
        return side
      }
    }
  }

  /// Makes the target equal to the source, if the source was written since both were equal. Only by the copying thread.
  private func write(_ source: Property<Value>, into target: Property<Value>, isFirst: Bool) {
    while true {
      let (value, number) = source.current
      let (old, oldNumber) = target.current
      let known = state.withLock { $0.known }
      if let known, number == (isFirst ? known.first : known.second) { return }
      var newNumber = oldNumber
      if !isSame(value, old) {
        guard target.write(value, ifNumber: oldNumber) else { continue }
        newNumber &+= 1
      }
      state.withLock { $0.known = isFirst ? (number, newNumber) : (newNumber, number) }
      return
    }
  }
}

extension Property {
  /// Writes a value if there was no write since a number was read from ``current``.
  ///
  /// - Returns: Whether it was written.
  fileprivate func write(_ value: Value, ifNumber number: UInt64) -> Bool {
    guard core.accept(value, ifNumber: number) else { return false }
    OngoingUpdate.noteWrite(to: self)
    return true
  }
}
