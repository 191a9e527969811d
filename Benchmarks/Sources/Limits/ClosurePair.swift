public import Synchronization

/// The latest values of two inputs behind one mutex: `combineLatest` by hand, for integers.
public final class ClosurePair: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @exclusivity(unchecked) @usableFromInline var first = 0
  @exclusivity(unchecked) @usableFromInline var second = 0
  @exclusivity(unchecked) @usableFromInline var hasFirst = false
  @exclusivity(unchecked) @usableFromInline var hasSecond = false
  @usableFromInline let receive: (Int, Int) -> Void

  /// Makes a pair without values.
  public init(_ receive: @escaping (Int, Int) -> Void) { self.receive = receive }

  /// Takes a value of the first input.
  @inlinable
  public func takeFirst(_ value: Int) {
    mutex.withLock { _ in
      first = value
      hasFirst = true
      if hasSecond { receive(value, second) }
    }
  }

  /// Takes a value of the second input.
  @inlinable
  public func takeSecond(_ value: Int) {
    mutex.withLock { _ in
      second = value
      hasSecond = true
      if hasFirst { receive(first, value) }
    }
  }
}
