import Foundation

/// What the processors did for this process, on all its threads.
enum ProcessorTime {
  static var nanoseconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1_000_000_000 + Double(now.tv_nsec)
  }

  /// The processor time that a closure takes.
  static func of(_ body: () -> Void) -> Double {
    let start = nanoseconds
    body()
    return nanoseconds - start
  }
}
