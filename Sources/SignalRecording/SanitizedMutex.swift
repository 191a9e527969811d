#if SIGNALS_THREAD_SANITIZER
  /// The mutex of this room in builds for the thread sanitizer.
  typealias Mutex = SanitizedMutex
#endif
