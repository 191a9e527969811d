import Foundation

/// What the processors did for this process, on all its threads.
enum ProcessorTime {
  static var nanoseconds: Double { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// What the processors did for this thread.
  static var ofThread: Double { time(of: CLOCK_THREAD_CPUTIME_ID) }

  /// The most memory that this process has had until now.
  static var largestMegabytes: Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Double(usage.ru_maxrss) / 1_024
    #endif
  }

  private static func time(of clock: clockid_t) -> Double {
    var now = timespec()
    clock_gettime(clock, &now)
    return Double(now.tv_sec) * 1_000_000_000 + Double(now.tv_nsec)
  }

  /// The processor time that a closure takes.
  static func of(_ body: () -> Void) -> Double {
    let start = nanoseconds
    body()
    return nanoseconds - start
  }
}
