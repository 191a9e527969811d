#if SIGNALS_THREAD_SANITIZER
  import Synchronization
#else
  public import Synchronization
#endif

/// A value that changes, and tells everybody who is interested.
///
/// A subscriber to ``signal`` gets the current value at once, exactly once, and then every change, none missing or doubled however
/// threads race; when all is quiet, the last value that was delivered is ``value`` (law 12).
///
/// Reading and writing are thread-safe. A property that goes away finishes its signals.
public final class Property<Value: Sendable>: Sendable {
  @usableFromInline let core: EmitterCore<Value>
  @usableFromInline let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  @usableFromInline let changeSite: Site

  /// Makes a property with its first value.
  @inlinable
  public init(
    _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    core = EmitterCore(newest: value, limit: 1, site: Site("property", fileID, line, function))
    isDuplicate = nil
    changeSite = Site("changes", fileID, line, function)
  }

  /// Makes a property that ignores writes of a value equal to the current one.
  @inlinable
  public init(
    removingDuplicates value: Value,
    fileID: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) where Value: Equatable {
    core = EmitterCore(newest: value, limit: 1, site: Site("property", fileID, line, function))
    isDuplicate = { $0 == $1 }
    changeSite = Site("changes", fileID, line, function)
  }

  deinit {
    core.complete(.finished)
  }

  /// The current value. Setting it delivers it to the subscribers; see ``update(_:)`` for changes that depend on the value.
  public var value: Value {
    @inlinable get { EmitterCore<Value>.isWord ? core.readWithoutLock() : current.value }
    @inlinable set {
      if isDuplicate == nil {
        core.replaceNewest(newValue)
      } else {
        setUnlessDuplicate(newValue)
      }
    }
  }

  /// The current value, and the number to hand to ``EmitterCore/accept(_:ifNumber:)``.
  @inlinable
  var current: (value: Value, number: UInt64) {
    // Safe: the memory of a property's core holds one value from the start, and a new one replaces it.
    core.lock.withLock { _ in (core.newest.unsafelyUnwrapped, core.acceptedCount) }
  }

  @usableFromInline
  func setUnlessDuplicate(_ value: Value) {
    guard let isDuplicate else { return }
    while true {
      let current = current
      if isDuplicate(current.value, value) || core.accept(value, ifNumber: current.number) { return }
    }
  }

  /// Changes the value atomically: no other write comes between reading it and writing it.
  ///
  /// `change` works on a copy, without a lock; when another write was faster it runs again on the newer value. So it must not do anything
  /// else that may not be done twice. If it throws, the value stays.
  ///
  /// - Returns: What `change` returned.
  @inlinable
  @discardableResult
  public func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
    while true {
      let current = current
      var value = current.value
      let result = try change(&value)
      if let isDuplicate, isDuplicate(current.value, value) { return result }
      if core.accept(value, ifNumber: current.number) { return result }
    }
  }

  /// The current value first, then every change.
  @inlinable
  public var signal: Signal<Value> { Signal(emitter: core) }

  /// Every change from now on, without the current value.
  public var changes: Signal<Value> {
    let core = core
    return Signal(site: changeSite, recorder: core.recorder) { observer, subscription in
      core.add(observer, subscription, skippingMemory: true)
    }
  }

  /// How many subscriptions there are now. Those whose owner is gone are ended first, see `subscribe(with:)`.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions of the process that have an owner.
  public var subscriberCount: Int { core.subscriberCount }

  /// A view that can be read and subscribed to, but not written.
  public var readOnly: ReadOnlyProperty<Value> { ReadOnlyProperty(self) }
}

/// A property as its readers see it.
public struct ReadOnlyProperty<Value: Sendable>: Sendable {
  private let property: Property<Value>

  init(_ property: Property<Value>) {
    self.property = property
  }

  /// The current value.
  public var value: Value { property.value }
  /// The current value first, then every change.
  public var signal: Signal<Value> { property.signal }
  /// Every change from now on, without the current value.
  public var changes: Signal<Value> { property.changes }
}
