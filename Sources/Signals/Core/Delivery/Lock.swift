/// A mutex that knows in debug builds which thread holds it, for guarded state that cannot be stored in it.
///
/// A debug build also stops if a thread takes two of them: they come first in the order of locks (see `Gate`), and no
/// order of two is defined. In other builds it is only the mutex.
@usableFromInline
struct Lock: ~Copyable, Sendable {
  @usableFromInline let mutex = SystemLock(())
  @usableFromInline let holding = ExclusiveUse()

  @inlinable
  @inline(__always)
  init() {}

  /// Holds the lock while a closure runs. The same thread must not take it again inside.
  @inlinable
  @inline(__always)
  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    holding.assertNotMine("a lock is not taken twice by one thread")
    // Not a mutex's `withLock`: of two nested closures, the compiler inlines only one.
    mutex._unsafeLock()
    beginHolding()
    defer {
      endHolding()
      mutex._unsafeUnlock()
    }
    return try body()
  }

  /// Holds the lock while a closure runs, if no thread holds it.
  ///
  /// - Returns: Whether the closure ran.
  borrowing func withLockIfFree(_ body: () -> Void) -> Bool {
    guard mutex._unsafeTryLock() else { return false }
    beginHolding()
    defer {
      endHolding()
      mutex._unsafeUnlock()
    }
    body()
    return true
  }

  @inlinable
  @inline(__always)
  borrowing func beginHolding() {
    holding.begin("a lock is held by one thread")
    #if DEBUG
      debugAssert(HeldLocks.begin(), "a thread holds one lock of an emitter or a junction at a time")
    #endif
  }

  @inlinable
  @inline(__always)
  borrowing func endHolding() {
    holding.end("a lock is let go of by the thread that holds it")
    #if DEBUG
      HeldLocks.end()
    #endif
  }

  /// Stops a debug build unless this thread holds the lock.
  @inlinable
  @inline(__always)
  borrowing func assertHeld(file: StaticString = #fileID, line: UInt = #line) {
    holding.assertMine("only under the lock", file: file, line: line)
  }

  /// Stops a debug build if this thread holds the lock.
  @inlinable
  @inline(__always)
  borrowing func assertNotHeld(file: StaticString = #fileID, line: UInt = #line) {
    holding.assertNotMine("not under the lock", file: file, line: line)
  }
}
