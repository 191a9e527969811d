public import Synchronization

/// What one would write by hand for one thread-safe emitter: closures behind an uncontended mutex, nothing general.
///
/// It keeps no law of the library beyond "one at a time": it is the lower bound that the library is measured against.
public final class ClosureEmitter<Value>: @unchecked Sendable {
  // Safe: changed only while the benchmark sets up, on one thread.
  @exclusivity(unchecked) @usableFromInline var observers: ContiguousArray<Edge<Value>> = []
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
