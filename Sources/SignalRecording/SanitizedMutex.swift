#if SIGNALS_THREAD_SANITIZER
  /// The mutex of this module in builds for Thread Sanitizer.
  typealias Mutex = SanitizedMutex
#endif
