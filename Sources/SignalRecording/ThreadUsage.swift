#if canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The CPU time of the calling thread, and the number of times it has blocked.
///
/// On a busy machine the system takes the CPU from a handler for longer than the handler runs. A handler that never blocks took only its CPU time.
struct ThreadUsage {
  /// In nanoseconds, rounded down to microseconds.
  var cpuTime: UInt64
  /// The number of voluntary context switches: sleeps, reads, contended locks.
  var blockCount: Int

  /// `RUSAGE_THREAD` of Linux's interface, which the C library declares only as an extension.
  private static var callingThread: Int32 { 1 }

  /// The usage of the calling thread; nil on Apple platforms, which do not count the blocks of a thread.
  static var current: ThreadUsage? {
    #if canImport(Darwin)
      return nil
    #else
      var usage = rusage()
      guard getrusage(callingThread, &usage) == 0 else { return nil }
      let seconds = UInt64(clamping: usage.ru_utime.tv_sec) &+ UInt64(clamping: usage.ru_stime.tv_sec)
      let microseconds = UInt64(clamping: usage.ru_utime.tv_usec) &+ UInt64(clamping: usage.ru_stime.tv_usec)
      return ThreadUsage(
        cpuTime: seconds &* 1_000_000_000 &+ microseconds &* 1_000, blockCount: usage.ru_nvcsw)
    #endif
  }

  /// How long a call took the thread: the CPU time if it never blocked, the elapsed time otherwise.
  ///
  /// - Parameters:
  ///   - end: The usage after the call.
  ///   - elapsed: The elapsed time, in nanoseconds.
  func taken(until end: ThreadUsage, elapsed: UInt64) -> UInt64 {
    guard end.blockCount == blockCount, end.cpuTime >= cpuTime else { return elapsed }
    // Short times are measured better by the clock.
    return min(elapsed, end.cpuTime - cpuTime + 1_000)
  }
}
