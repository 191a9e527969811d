#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalLocks needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// A number that no other thread has at the same time.
@usableFromInline
package func currentThread() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}

#if DEBUG
  /// Whether this thread holds a lock of the core, for checks of debug builds.
  @usableFromInline
  package enum HeldLocks {
    private static let key = {
      var key = pthread_key_t()
      guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("the system gives no thread-local memory") }
      return key
    }()

    /// Notes that this thread holds one.
    ///
    /// - Returns: Whether it held none.
    @usableFromInline
    package static func begin() -> Bool {
      guard pthread_getspecific(key) == nil else { return false }
      return pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) == 0
    }

    /// Notes that this thread no longer holds one.
    @usableFromInline
    package static func end() { pthread_setspecific(key, nil) }
  }
#endif

/// Lets other threads run, before this one polls again.
package func yieldThread() {
  _ = sched_yield()
}

/// Suspends this thread for about the shortest time that the system supports, before it polls again.
package func pauseThread() {
  // Safe: only a pause between two polls of a caller that limits their number.
  usleep(20)
}
