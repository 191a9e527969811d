public import Synchronization

/// What one would write by hand for one thread-safe emitter: closures behind an uncontended mutex, nothing general.
///
/// It keeps no law of the library beyond "one at a time": it is the lower bound that the library is measured against.
public final class ClosureEmitter<Value>: @unchecked Sendable {
  // Safe: changed only while the benchmark sets up, on one thread. The first `count` places are initialized.
  @exclusivity(unchecked) @usableFromInline var edges = UnsafeMutablePointer<Edge<Value>>.allocate(capacity: 1)
  @exclusivity(unchecked) @usableFromInline var count = 0
  private var capacity = 1
  @usableFromInline let mutex = Mutex(())

  /// Makes an emitter without observers.
  public init() {}

  deinit {
    edges.deinitialize(count: count)
    edges.deallocate()
  }

  /// Adds an observer.
  public func add(_ observer: @escaping (Value) -> Void) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Edge<Value>>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: edges, count: count)
      edges.deallocate()
      edges = larger
      capacity *= 2
    }
    (edges + count).initialize(to: Edge(observer))
    count += 1
  }

  /// Calls all observers.
  @inlinable
  public func send(_ value: Value) {
    mutex.withLock { _ in
      for index in 0..<count {
        Unmanaged.passUnretained(edges[index])._withUnsafeGuaranteedRef { $0.receive(value) }
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
