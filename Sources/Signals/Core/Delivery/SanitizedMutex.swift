#if SIGNALS_THREAD_SANITIZER
  /// The lock that the recording module uses in builds for Thread Sanitizer.
  @usableFromInline
  typealias Mutex = SanitizedMutex
#endif
