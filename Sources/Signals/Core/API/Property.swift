public import Synchronization

/// A value that changes, and notifies its subscribers.
///
/// ```swift
/// let bag = DisposeBag()
/// let volume = Property(5)
/// volume.signal.subscribe { print("volume \($0)") }.store(in: bag)  // Prints 5 at once.
/// volume.value = 6
/// volume.update { $0 += 1 }
/// print(volume.value)
/// ```
///
/// A subscriber to ``signal`` gets the current value at once, exactly once, and then every change, none lost or
/// duplicated however threads race. When no write is in progress, the last delivered value is ``value`` (law 12).
///
/// A property is not a signal: chains begin with ``signal`` or ``changes``, and operators such as `combineLatest` take
/// these.
///
/// Reading and writing are thread-safe. Deallocating a property finishes its signals.
///
/// See also ``Emitter``, which has no current value, and ``ReadOnlyProperty``.
public final class Property<Value: Sendable>: Sendable {
  @usableFromInline let core: EmitterCore<Value>
  @usableFromInline let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  /// Whether a write needs no checks: the property delivers duplicates, and was never changed by ``update(_:)``.
  @usableFromInline let isPlain: Atomic<Bool>
  @usableFromInline let changeSite: Site

  /// Creates a property with its first value.
  ///
  /// Every write is delivered, even of an equal value.
  ///
  /// - Parameter value: The first value.
  @inlinable
  public init(
    _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    core = EmitterCore(
      newest: value, limit: 1,
      site: Site(
        "property", behavior: [.passesOn, .sendsUnasked, .holdsValue], fileID: fileID, line: line, function: function))
    isDuplicate = nil
    isPlain = Atomic(true)
    changeSite = Site("changes", behavior: [.passesOn, .runsNoClosure], fileID: fileID, line: line, function: function)
  }

  /// Creates a property that ignores writes of a value equal to the current one.
  ///
  /// ```swift
  /// let bag = DisposeBag()
  /// let isOnline = Property(removingDuplicates: false)
  /// isOnline.signal.subscribe { print($0) }.store(in: bag)  // Prints false.
  /// isOnline.value = false  // Prints nothing.
  /// ```
  ///
  /// - Parameter value: The first value.
  @inlinable
  public init(
    removingDuplicates value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) where Value: Equatable {
    core = EmitterCore(
      newest: value, limit: 1,
      site: Site(
        "property", behavior: [.passesOn, .sendsUnasked, .holdsValue], fileID: fileID, line: line, function: function))
    isDuplicate = { $0 == $1 }
    isPlain = Atomic(false)
    changeSite = Site("changes", behavior: [.passesOn, .runsNoClosure], fileID: fileID, line: line, function: function)
  }

  deinit {
    core.complete(.finished)
  }

  /// The current value. Setting it delivers it to the subscribers; see ``update(_:)`` for changes that depend on the value.
  ///
  /// When a write that is neither concurrent with others nor nested returns, its value has been delivered (law 5).
  ///
  /// - Complexity: O(1) to read, O(*n*) in the number of subscribers to write; no heap allocation.
  public var value: Value {
    @inlinable get { EmitterCore<Value>.isWord ? core.readWithoutLock() : current.value }
    @inlinable set {
      if isPlain.load(ordering: .relaxed) {
        core.replaceNewest(newValue)
      } else {
        setNoting(newValue)
      }
    }
  }

  /// The current value, and the number to pass to ``EmitterCore/accept(_:ifNumber:)``.
  @inlinable
  var current: (value: Value, number: UInt64) {
    // Safe: the memory of a property's core holds one value from the start, and a new one replaces it.
    core.lock.withLock { (core.newest.unsafelyUnwrapped, core.acceptedCount) }
  }

  /// Sets the value unless it is a duplicate, and notes the write for an enclosing update.
  @usableFromInline
  func setNoting(_ value: Value) {
    if let isDuplicate {
      while true {
        let current = current
        if isDuplicate(current.value, value) { return }
        if core.accept(value, ifNumber: current.number) { break }
      }
    } else {
      core.replaceNewest(value)
    }
    OngoingUpdate.noteWrite(to: self)
  }

  /// Changes the value atomically: no other thread writes between the read and the write.
  ///
  /// ```swift
  /// let scores = Property(["Ada": 1])
  /// let total = scores.update { scores in
  ///   scores["Ada", default: 0] += 1
  ///   return scores.values.reduce(0, +)
  /// }
  /// print(total)
  /// ```
  ///
  /// `change` works on a copy, without a lock. If another thread writes first, it runs again on the newer value. So its
  /// side effects must be repeatable, and it must not wait for another thread that writes this property. If it throws,
  /// the value does not change.
  ///
  /// If `change` itself writes this property, on the same thread, that value is delivered at once, and the copy is not
  /// affected: the result of `change` is written afterwards and replaces it.
  ///
  /// - Parameter change: Changes the copy, and may return something.
  /// - Returns: The result of `change`.
  /// - Throws: Rethrows the errors of `change`.
  /// - Complexity: O(*n*) in the number of subscribers, plus the copy and `change`.
  @inlinable
  @discardableResult
  public func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
    // From now on writes are noted. Only those of this very thread matter, so other threads need not see it at once.
    if isPlain.load(ordering: .relaxed) { isPlain.store(false, ordering: .relaxed) }
    while true {
      var (value, number) = current
      let old = value
      let (result, ownWrites, isInner) = try countingOwnWrites { try change(&value) }
      number &+= ownWrites
      if isDuplicate == nil || !isEqual(value, to: old, number, ownWrites: ownWrites) {
        guard core.accept(value, ifNumber: number) else { continue }
        if isInner { OngoingUpdate.noteWrite(to: self) }
      }
      return result
    }
  }

  /// Runs the closure of an update, counts this thread's writes to this property during the call, and returns whether
  /// the update is nested in another.
  @inlinable
  func countingOwnWrites<Result>(
    _ change: () throws -> Result
  ) rethrows -> (result: Result, ownWrites: UInt64, isInner: Bool) {
    guard let innermost = OngoingUpdate.innermost else { return (try change(), 0, false) }
    let outer = innermost.pointee
    var update = OngoingUpdate(self, inside: outer)
    return try withUnsafeMutablePointer(to: &update) { update in
      innermost.pointee = update
      defer { innermost.pointee = outer }
      let result = try change()
      return (result, update.pointee.writeCount, outer != nil)
    }
  }

  /// Whether the result of an update equals the current value, so that it need not be written.
  @usableFromInline
  func isEqual(_ value: Value, to old: Value, _ number: UInt64, ownWrites: UInt64) -> Bool {
    guard let isDuplicate else { return false }
    if ownWrites == 0 { return isDuplicate(old, value) }
    // Writes inside the update have replaced the old value.
    let current = current
    return current.number == number && isDuplicate(current.value, value)
  }

  /// The current value first, then every change.
  @inlinable
  public var signal: Signal<Value> { Signal(emitter: core) }

  /// Every change from now on, without the current value.
  public var changes: Signal<Value> {
    let core = core
    return Signal(changeSite, derivedFrom: signal) { observer, subscription in
      if subscription.recording.isOn { subscription.recording.noteSkippedReplay() }
      core.add(observer, subscription, skippingMemory: true)
    }
  }

  /// The number of current subscriptions. Those made with `subscribe(with:)` whose owner is deallocated are ended
  /// first.
  ///
  /// Those in a bag that outlived its owner are not, see ``DisposeBagOwner``.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions of the process that have an owner.
  public var subscriberCount: Int { core.subscriberCount }

  /// The subscribers in subscription order, with location and name, even when the live graph is off.
  ///
  /// Those made with `subscribe(with:)` whose owner is deallocated are ended first, as by ``subscriberCount``. Behind
  /// an operator with several inputs, the subscriber below the operator is listed; behind
  /// ``Signal/share(replay:fileID:line:function:)``, the location of `share`.
  ///
  /// - Complexity: O(*n*) in the number of subscribers, and in that of the subscriptions of the process that have an owner.
  public var subscribers: [SubscriberDescription] { core.subscribers }

  /// The number of values that were written and are not delivered yet.
  ///
  /// During a delivery, values wait that a handler or another thread writes. The thread that is delivering delivers
  /// them too, one after the other, before its own write returns. When other threads write faster than the handlers
  /// work, that write may never return, and this number grows without bound: write less often, or do less in the
  /// handlers. The live graph shows the number where it is above zero.
  ///
  /// A value that waits only because a new subscriber is still getting earlier ones counts too, once for each such
  /// subscriber.
  ///
  /// - Complexity: O(1).
  public var waitingCount: Int { core.waitingCount }

  /// The number of changes delivered since creation, or since ``resetSentCount()``. The current value that a new
  /// subscriber gets does not count.
  public var sentCount: Int { Int(clamping: core.sentCount) }

  /// Resets ``sentCount`` to 0.
  public func resetSentCount() { core.resetSentCount() }

  /// Ends all current subscriptions without an event. The property stays usable.
  ///
  /// Operators with one input at a time end with it, also `share`, `concat`, `catch` and `timeout`: values that wait in
  /// `debounce` or `receive(on:)`, timers and tasks are dropped. Others, such as `merge`, `flatMap`, `withLatest`,
  /// `multicast` and `window`, continue with their other inputs and with what waits in them and below. Those that
  /// end with this input do not end any more, also if no input is left: dispose their subscriptions.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  public func disposeAllSubscriptions() { core.disposeAll() }

  /// Ends the subscriptions that were made for an object with `subscribe(with:)` or a binding, without an event.
  ///
  /// ```swift
  /// final class Label: Sendable {
  ///   func show(_ text: String) { print(text) }
  /// }
  /// let label = Label()
  /// let title = Property("Welcome")
  /// title.signal.subscribe(with: label) { label, text in label.show(text) }
  /// title.disposeSubscriptions(of: label)
  /// print(title.subscriberCount)  // 0
  /// ```
  ///
  /// A subscription that reaches this property through operators is ended as a whole, even if it has other inputs.
  /// Those behind ``Signal/share(replay:fileID:line:function:)`` are not found here.
  ///
  /// - Parameter owner: The object. A later object at the same address is a different one.
  /// - Complexity: O(*n*) in the number of subscribers.
  public func disposeSubscriptions(of owner: some AnyObject) { core.disposeSubscriptions(of: owner) }

  /// A read-only view, which can be read and subscribed to.
  ///
  /// ```swift
  /// final class Player: Sendable {
  ///   private let position = Property(0)
  ///   var currentPosition: ReadOnlyProperty<Int> { position.readOnly }
  /// }
  /// print(Player().currentPosition.value)
  /// ```
  public var readOnly: ReadOnlyProperty<Value> { ReadOnlyProperty(self) }
}
