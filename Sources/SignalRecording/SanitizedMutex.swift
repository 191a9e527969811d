#if SIGNALS_THREAD_SANITIZER
  import Foundation

  /// Stands in for `Synchronization.Mutex` in builds for the thread sanitizer.
  ///
  /// On Linux that mutex is a futex inside the run-time library, which the sanitizer does not see: it would report everything that a mutex
  /// guards as a race. It does see this lock.
  @usableFromInline
  package struct SanitizedMutex<Value>: Sendable {
    private final class Storage: @unchecked Sendable {
      // Safe: `value` is touched only under `lock`.
      let lock = NSLock()
      var value: Value

      init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    @usableFromInline
    package init(_ value: Value) {
      storage = Storage(value)
    }

    @usableFromInline
    package func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      storage.lock.lock()
      defer { storage.lock.unlock() }
      return try body(&storage.value)
    }
  }

  typealias Mutex = SanitizedMutex
#endif
