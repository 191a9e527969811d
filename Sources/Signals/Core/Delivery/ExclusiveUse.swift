#if DEBUG
  public import Synchronization
#endif

/// Knows in debug builds which thread uses something that one thread at a time may use, and ends the program when a second one does, or the
/// same one twice.
///
/// In other builds it has no size and does nothing.
@usableFromInline
struct ExclusiveUse: ~Copyable, Sendable {
  #if DEBUG
    /// 0 while nobody uses it. Relaxed: to be found by mistake is enough, and the order of two uses is for what is checked to ensure.
    @usableFromInline let thread = Atomic<UInt>(0)
  #endif

  @inlinable
  @inline(__always)
  init() {}

  /// Notes that this thread begins to use it. Nobody may be using it.
  @inlinable
  @inline(__always)
  borrowing func begin(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      let other = thread.exchange(currentThread(), ordering: .relaxed)
      debugAssert(other == 0, rule(), file: file, line: line)
    #endif
  }

  /// Notes that this thread has used it.
  @inlinable
  @inline(__always)
  borrowing func end(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      let user = thread.exchange(0, ordering: .relaxed)
      debugAssert(user == currentThread(), rule(), file: file, line: line)
    #endif
  }

  /// Ends the program unless this thread is using it.
  @inlinable
  @inline(__always)
  borrowing func assertMine(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      debugAssert(thread.load(ordering: .relaxed) == currentThread(), rule(), file: file, line: line)
    #endif
  }

  /// Ends the program if this thread is using it.
  @inlinable
  @inline(__always)
  borrowing func assertNotMine(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      debugAssert(thread.load(ordering: .relaxed) != currentThread(), rule(), file: file, line: line)
    #endif
  }

  /// Ends the program if anybody is using it.
  @inlinable
  @inline(__always)
  borrowing func assertNobody(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if DEBUG
      debugAssert(thread.load(ordering: .relaxed) == 0, rule(), file: file, line: line)
    #endif
  }
}
