public import Synchronization

/// A current value behind a mutex, with one observer.
public final class ClosureProperty<Value>: @unchecked Sendable {
  // Safe: `stored` is touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @exclusivity(unchecked) @usableFromInline var stored: Value
  @usableFromInline let receive: (Value) -> Void

  /// Makes a property with its first value and its observer.
  public init(_ value: Value, _ receive: @escaping (Value) -> Void) {
    stored = value
    self.receive = receive
  }

  /// Reads or writes the value.
  @inlinable
  public var value: Value {
    get { mutex.withLock { _ in stored } }
    set {
      mutex.withLock { _ in stored = newValue }
      receive(newValue)
    }
  }
}
