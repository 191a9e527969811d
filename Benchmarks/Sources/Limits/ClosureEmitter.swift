public import Synchronization

/// What one would write by hand for one thread-safe emitter: closures behind an uncontended mutex, nothing general.
///
/// It keeps no law of the library beyond "one at a time": it is the lower bound that the library is measured against.
public final class ClosureEmitter<Value>: @unchecked Sendable {
  // Safe: changed only while the benchmark sets up, on one thread.
  @usableFromInline var observers: ContiguousArray<Edge<Value>> = []
  @usableFromInline let mutex = Mutex(())

  /// Makes an emitter without observers.
  public init() {}

  /// Adds an observer.
  public func add(_ observer: @escaping (Value) -> Void) { observers.append(Edge(observer)) }

  /// Calls all observers.
  @inlinable
  public func send(_ value: Value) {
    mutex.withLock { _ in
      observers.withUnsafeBufferPointer { edges in
        for index in edges.indices {
          Unmanaged.passUnretained(edges[index])._withUnsafeGuaranteedRef { $0.receive(value) }
        }
      }
    }
  }
}

/// One observer.
public final class Edge<Value> {
  @usableFromInline let receive: (Value) -> Void

  @usableFromInline
  init(_ receive: @escaping (Value) -> Void) { self.receive = receive }
}

/// A current value behind a mutex, with one observer.
public final class ClosureProperty<Value>: @unchecked Sendable {
  // Safe: `stored` is touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @usableFromInline var stored: Value
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

/// The latest values of two inputs behind one mutex.
public final class ClosurePair<First, Second>: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline let receive: (First, Second) -> Void

  /// Makes a pair without values.
  public init(_ receive: @escaping (First, Second) -> Void) { self.receive = receive }

  /// Takes a value of the first input.
  @inlinable
  public func takeFirst(_ value: First) {
    mutex.withLock { _ in
      first = value
      if let second { receive(value, second) }
    }
  }

  /// Takes a value of the second input.
  @inlinable
  public func takeSecond(_ value: Second) {
    mutex.withLock { _ in
      second = value
      if let first { receive(first, value) }
    }
  }
}
