public import Synchronization

/// Values in arrays of a certain length behind one mutex: `collect` by hand.
public final class ClosureCollect<Value>: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @usableFromInline let count: Int
  @usableFromInline let receive: ([Value]) -> Void
  @exclusivity(unchecked) @usableFromInline var values: [Value] = []

  /// Makes the operator without values.
  public init(_ count: Int, _ receive: @escaping ([Value]) -> Void) {
    self.count = count
    self.receive = receive
  }

  /// Takes a value.
  @inlinable
  public func take(_ value: Value) {
    mutex.withLock { _ in
      if values.isEmpty { values.reserveCapacity(count) }
      values.append(value)
      guard values.count == count else { return }
      let full = values
      values = []
      receive(full)
    }
  }
}
