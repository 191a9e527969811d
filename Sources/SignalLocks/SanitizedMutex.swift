#if SIGNALS_THREAD_SANITIZER
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

  /// Stands in for `Synchronization.Mutex` in builds for the thread sanitizer.
  ///
  /// On Linux that mutex is a futex inside the run-time library, which the sanitizer does not see: it would report everything that a mutex
  /// guards as a race. It does see this lock.
  @usableFromInline
  package struct SanitizedMutex<Value: ~Copyable>: Sendable {
    // Safe: `value` is touched only under `lock`, which stays where it is until nobody refers to this any more.
    private final class Storage: @unchecked Sendable {
      let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      var value: Value

      init(_ value: consuming Value) {
        self.value = value
        lock.initialize(to: pthread_mutex_t())
        guard pthread_mutex_init(lock, nil) == 0 else { preconditionFailure("the system gives no lock") }
      }

      deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
      }
    }

    private let storage: Storage

    @usableFromInline
    package init(_ value: consuming sending Value) {
      storage = Storage(value)
    }

    @usableFromInline
    package func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      _unsafeLock()
      defer { _unsafeUnlock() }
      return try body(&storage.value)
    }

    @usableFromInline
    package func _unsafeLock() { pthread_mutex_lock(storage.lock) }

    package func _unsafeTryLock() -> Bool { pthread_mutex_trylock(storage.lock) == 0 }

    @usableFromInline
    package func _unsafeUnlock() { pthread_mutex_unlock(storage.lock) }
  }
#endif
