#if os(Linux) || os(Android)
  @usableFromInline package typealias SystemLock = FutexLock
#else
  public import Synchronization

  // Thread Sanitizer sees this one, where the system has no futex.
  @usableFromInline package typealias SystemLock = Mutex<Void>
#endif

#if os(Linux) || os(Android)
  private import CLinux
  public import Synchronization

  /// A mutual exclusion lock of one word and Linux's futex, after Ulrich Drepper, "Futexes Are Tricky" (2011), the
  /// third mutex.
  ///
  /// `Synchronization.Mutex` cannot be used where its code is inlined into a caller's asynchronous function. On Linux
  /// it stores the number of the thread in thread-local memory, and the compiler may compute that memory's address
  /// before a suspension and use it after, on another thread (seen with Swift 6.3: "unlock Mutex on a thread which
  /// hasn't acquired the lock"). This lock does not use the thread. Its futex is not passed from thread to thread
  /// either, unlike that mutex's, which makes each of many contending threads wait for a context switch.
  ///
  /// An uncontended lock and unlock are one atomic exchange each. Their names are those of `Mutex`, which replaces it
  /// elsewhere.
  @usableFromInline
  package struct FutexLock: ~Copyable, Sendable {
    /// 0 while it is free, 1 while it is held, 2 while it is held and threads may be waiting.
    @usableFromInline package let state = Atomic<UInt32>(0)

    @inlinable
    @inline(__always)
    package init(_ nothing: Void) {}

    @inlinable
    @inline(__always)
    package borrowing func _unsafeLock() {
      if !state.weakCompareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
        .exchanged
      {
        lockContended()
      }
    }

    /// Takes the lock if it is free.
    package borrowing func _unsafeTryLock() -> Bool {
      state.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
    }

    @inlinable
    @inline(__always)
    package borrowing func _unsafeUnlock() {
      if state.exchange(0, ordering: .releasing) == 2 { wakeOne() }
    }

    @usableFromInline
    @inline(never)
    package borrowing func lockContended() {
      // Critical sections are short: so the lock is often free again before this thread would be asleep.
      var looks = 100
      while looks > 0 {
        if state.load(ordering: .relaxed) == 0,
          state.weakCompareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
            .exchanged
        {
          return
        }
        looks -= 1
      }
      while state.exchange(2, ordering: .acquiring) != 0 {
        withWord { wait_while_equal($0, 2) }
      }
    }

    @usableFromInline
    @inline(never)
    package borrowing func wakeOne() {
      withWord { wake_one($0) }
    }

    /// Safe: an `Atomic` is never moved or copied, not even to be borrowed, and is as large as its value. Only the
    /// kernel uses the address.
    private borrowing func withWord(_ body: (UnsafePointer<UInt32>) -> Void) {
      withUnsafePointer(to: state) { body(UnsafeRawPointer($0).assumingMemoryBound(to: UInt32.self)) }
    }
  }
#endif
