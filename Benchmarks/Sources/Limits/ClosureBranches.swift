public import Synchronization

/// Values in emitters of a certain number of values each, behind one mutex: `window` by hand, without an end.
public final class ClosureWindows<Value>: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @usableFromInline let count: Int
  @usableFromInline let receive: (ClosureEmitter<Value>) -> Void
  @exclusivity(unchecked) @usableFromInline var current = ClosureEmitter<Value>()
  @exclusivity(unchecked) @usableFromInline var sent = 0

  /// Makes the operator and its first window.
  public init(_ count: Int, _ receive: @escaping (ClosureEmitter<Value>) -> Void) {
    self.count = count
    self.receive = receive
    receive(current)
  }

  /// Takes a value.
  @inlinable
  public func take(_ value: Value) {
    mutex.withLock { _ in
      current.send(value)
      sent &+= 1
      guard sent == count else { return }
      sent = 0
      current = ClosureEmitter()
      receive(current)
    }
  }
}

/// Values in an emitter for each key, behind one mutex: `grouped` by hand, without an end.
public final class ClosureGroups<Key: Hashable, Value>: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @usableFromInline let key: (Value) -> Key
  @usableFromInline let receive: (Key, ClosureEmitter<Value>) -> Void
  @exclusivity(unchecked) @usableFromInline var groups: [Key: ClosureEmitter<Value>] = [:]

  /// Makes the operator without groups.
  public init(by key: @escaping (Value) -> Key, _ receive: @escaping (Key, ClosureEmitter<Value>) -> Void) {
    self.key = key
    self.receive = receive
  }

  /// Takes a value.
  @inlinable
  public func take(_ value: Value) {
    let key = key(value)
    mutex.withLock { _ in
      if let group = groups[key] { return group.send(value) }
      let group = ClosureEmitter<Value>()
      groups[key] = group
      receive(key, group)
      group.send(value)
    }
  }
}
