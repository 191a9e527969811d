#if DEBUG
  public import Synchronization
#endif

/// Records, in debug builds, the thread that uses a single-threaded resource, and stops the program on a second use by
/// another thread or by the same one.
///
/// In other builds it has no size and does nothing.
@usableFromInline
struct ExclusiveUse: ~Copyable, Sendable {
  #if DEBUG
    /// 0 while it is not in use. Relaxed: finding an error is enough, and the order of two uses is for the checked code
    /// to ensure.
    @usableFromInline let thread = Atomic<UInt>(0)
  #endif

  @inlinable
  @inline(__always)
  init() {}

  /// Notes that this thread begins to use it. It must not be in use.
  @inlinable
  @inline(__always)
  borrowing func begin(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      let other = thread.exchange(currentThread(), ordering: .relaxed)
      debugAssert(other == 0, rule(), file: file, line: line)
    #endif
  }

  /// Notes that this thread has finished using it.
  @inlinable
  @inline(__always)
  borrowing func end(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      let user = thread.exchange(0, ordering: .relaxed)
      debugAssert(user == currentThread(), rule(), file: file, line: line)
    #endif
  }

  /// Stops the program unless this thread is using it.
  @inlinable
  @inline(__always)
  borrowing func assertMine(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      debugAssert(thread.load(ordering: .relaxed) == currentThread(), rule(), file: file, line: line)
    #endif
  }

  /// Stops the program if this thread is using it.
  @inlinable
  @inline(__always)
  borrowing func assertNotMine(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      debugAssert(thread.load(ordering: .relaxed) != currentThread(), rule(), file: file, line: line)
    #endif
  }

  /// Stops the program if any thread is using it.
  @inlinable
  @inline(__always)
  borrowing func assertUnused(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      debugAssert(thread.load(ordering: .relaxed) == 0, rule(), file: file, line: line)
    #endif
  }
}
