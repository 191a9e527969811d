import Foundation

/// The least processor time of this thread that some runs took: other threads and other programs do not count.
func leastProcessorTime(_ runs: Int, _ work: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  return try (0..<runs).map { _ in
    let start = now()
    try work()
    return now() - start
  }.min() ?? 0
}
