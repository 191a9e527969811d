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

  /// Replaces `Synchronization.Mutex` in builds for Thread Sanitizer.
  ///
  /// On Linux that mutex is a futex inside the run-time library, which the sanitizer does not see: it would report all
  /// accesses under a mutex as races. It sees this lock.
  @usableFromInline
  package struct SanitizedMutex<Value: ~Copyable>: Sendable {
    // Safe: `value` is touched only under `lock`, which does not move until the last reference is released.
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
