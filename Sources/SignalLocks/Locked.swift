/// A value that one thread at a time may touch. It is `Mutex` with the lock of the event path, which the kernel does
/// not pass from thread to thread: many threads list their chains with one recorder, and would wait for each other in
/// turn.
// Safe: the memory is touched only under the lock, never moves, and is freed with this.
@usableFromInline
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let lock = SystemLock(())
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  @inlinable
  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Calls a closure with the value. The same thread must not take the lock again inside.
  @inlinable
  @inline(__always)
  package borrowing func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result)
    throws(Failure)
    -> Result
  {
    lock._unsafeLock()
    defer { lock._unsafeUnlock() }
    return try body(&value.pointee)
  }
}
