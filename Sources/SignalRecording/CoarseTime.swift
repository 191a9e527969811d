#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#else
  #error("SignalRecording needs the C library of the system: it knows Darwin, Android, Musl and Glibc.")
#endif

/// A time in milliseconds of a monotonic clock: read in a few nanoseconds, and on Linux up to ten milliseconds old.
struct CoarseTime: Sendable {
  let milliseconds: UInt64

  static var now: CoarseTime {
    var now = timespec()
    #if os(Linux) || os(Android)
      clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    #else
      clock_gettime(CLOCK_MONOTONIC, &now)
    #endif
    return CoarseTime(milliseconds: UInt64(clamping: now.tv_sec) &* 1_000 &+ UInt64(clamping: now.tv_nsec / 1_000_000))
  }

  /// Converts times to those of the system's clock, as it is set now.
  struct Calendar {
    private let beginning = SignalRecording.secondsSince1970() - Double(HandlerTracing.nanoseconds) / 1_000_000_000

    func secondsSince1970(_ time: CoarseTime) -> Double { beginning + Double(time.milliseconds) / 1_000 }
  }
}
