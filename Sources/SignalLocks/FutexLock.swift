#if os(Linux) || os(Android)
  @usableFromInline package typealias SystemLock = FutexLock
#else
  public import Synchronization

  // The thread sanitizer sees this one, where the system has no futex.
  @usableFromInline package typealias SystemLock = Mutex<Void>
#endif

#if os(Linux) || os(Android)
  private import CLinux
  public import Synchronization

  /// A mutual exclusion lock made of one word and Linux's futex, after Ulrich Drepper, "Futexes Are Tricky" (2011), the third mutex.
  ///
  /// `Synchronization.Mutex` cannot be used where its code is inlined into a caller's asynchronous function. On Linux it keeps the number of the
  /// thread in thread-local memory, and the compiler may compute that memory's address before a suspension and use it after, on another thread
  /// (seen with Swift 6.3: "unlock Mutex on a thread which hasn't acquired the lock"). This lock asks for no thread.
  /// Its futex is not handed from thread to thread either, as that mutex's is, which makes a crowd of threads wait for a switch of threads each.
  ///
  /// An uncontended lock and unlock are one atomic exchange each. Their names are those of `Mutex`, which stands in for it elsewhere.
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
      // What is done under a lock is short: so it is often free again before this thread would be asleep.
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

    /// Safe: an `Atomic` is never moved or copied, not even to be lent, and is as large as its value. Only the kernel uses the address.
    private borrowing func withWord(_ body: (UnsafePointer<UInt32>) -> Void) {
      withUnsafePointer(to: state) { body(UnsafeRawPointer($0).assumingMemoryBound(to: UInt32.self)) }
    }
  }
#endif
