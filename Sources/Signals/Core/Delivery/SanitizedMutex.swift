#if SIGNALS_THREAD_SANITIZER
  /// The lock of the recording room's builds for the thread sanitizer.
  @usableFromInline
  typealias Mutex = SanitizedMutex
#endif
