import Foundation

#if canImport(SwiftOverlayShims)
  // Where the compiler finds `timespec` depends on the files that it compiles together with this one: in the C library, or here.
  import SwiftOverlayShims
#endif

/// The processor time of this thread, in seconds: other threads and other programs do not count.
package func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The least processor time of this thread that some runs took, in seconds.
package func leastProcessorTime(_ runs: Int, _ work: () throws -> Void) rethrows -> Double {
  return try (0..<runs).map { _ in
    let start = processorTime()
    try work()
    return processorTime() - start
  }.min() ?? 0
}
