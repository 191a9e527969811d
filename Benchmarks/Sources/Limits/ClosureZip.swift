public import Synchronization

/// The waiting values of two inputs behind one mutex: `zip` by hand, for integers.
public final class ClosureZip: @unchecked Sendable {
  // Safe: touched only under the mutex.
  @usableFromInline let mutex = Mutex(())
  @exclusivity(unchecked) @usableFromInline var first = IntegerRing()
  @exclusivity(unchecked) @usableFromInline var second = IntegerRing()
  @usableFromInline let receive: (Int, Int) -> Void

  /// Makes a zip without values.
  public init(_ receive: @escaping (Int, Int) -> Void) { self.receive = receive }

  deinit {
    first.deallocate()
    second.deallocate()
  }

  /// Takes a value of the first input.
  @inlinable
  public func takeFirst(_ value: Int) {
    mutex.withLock { _ in
      if second.count > 0 { receive(value, second.removeFirst()) } else { first.append(value) }
    }
  }

  /// Takes a value of the second input.
  @inlinable
  public func takeSecond(_ value: Int) {
    mutex.withLock { _ in
      if first.count > 0 { receive(first.removeFirst(), value) } else { second.append(value) }
    }
  }
}

/// A queue of integers in a ring that doubles when it is full.
@usableFromInline
struct IntegerRing {
  @usableFromInline var storage = UnsafeMutablePointer<Int>.allocate(capacity: 4)
  @usableFromInline var capacity = 4
  @usableFromInline var first = 0
  @usableFromInline var count = 0

  @usableFromInline
  init() {}

  @inlinable
  mutating func append(_ value: Int) {
    if count == capacity { grow() }
    storage[(first &+ count) & (capacity &- 1)] = value
    count &+= 1
  }

  @inlinable
  mutating func removeFirst() -> Int {
    let value = storage[first]
    first = (first &+ 1) & (capacity &- 1)
    count &-= 1
    return value
  }

  @usableFromInline
  mutating func grow() {
    let larger = UnsafeMutablePointer<Int>.allocate(capacity: capacity * 2)
    for index in 0..<count { larger[index] = storage[(first + index) & (capacity - 1)] }
    storage.deallocate()
    storage = larger
    first = 0
    capacity *= 2
  }

  func deallocate() { storage.deallocate() }
}
