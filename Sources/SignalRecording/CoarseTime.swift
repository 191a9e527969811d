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

/// The system's time in milliseconds since 1 January 1970 UTC: read in a few nanoseconds, and on Linux up to ten milliseconds old.
struct CoarseTime: Sendable {
  let milliseconds: UInt64

  static var now: CoarseTime {
    var now = timespec()
    #if os(Linux) || os(Android)
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
    #else
      clock_gettime(CLOCK_REALTIME, &now)
    #endif
    return CoarseTime(milliseconds: UInt64(clamping: now.tv_sec) &* 1_000 &+ UInt64(clamping: now.tv_nsec / 1_000_000))
  }

  var seconds: Double { Double(milliseconds) / 1_000 }
}
