#if SIGNALS_THREAD_SANITIZER
  // Exported, so that it is imported in all files of the module.
  @_exported public import SignalLocks

  /// The mutex of tables that all tests of the process share. Thread Sanitizer does not see the one of `Synchronization`,
  /// and would report tests that run at the same time.
  typealias ProcessMutex = SanitizedMutex
#else
  import Synchronization

  /// The mutex of tables that all tests of the process share.
  typealias ProcessMutex = Mutex
#endif
