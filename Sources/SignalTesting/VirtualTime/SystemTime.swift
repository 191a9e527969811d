public import struct Foundation.Date

/// The time that code under test sees when it asks the system: on `ContinuousClock`, in `Task.sleep`, in `Date()`, on
/// dispatch queues.
///
/// With ``virtual``, code that was not written for tests is tested in virtual time, without an injected clock:
///
/// ```swift
/// actor Session {
///   private(set) var isOpen = true
///
///   func close(after pause: Duration) {
///     Task {
///       try await Task.sleep(for: pause)
///       isOpen = false
///     }
///   }
/// }
///
/// @Test func closesAfterTenMinutes() throws {
///   try withVirtualTime(systemTime: .virtual) { time in
///     let session = Session()
///     await session.close(after: .seconds(600))
///     try await Task.sleep(for: .seconds(599))
///     #expect(await session.isOpen)
///     try await Task.sleep(for: .seconds(2))
///     #expect(await !session.isOpen)
///   }
/// }
/// ```
///
/// <doc:VirtualSystemTime> lists what is virtual then, and what is not.
public struct SystemTime: Sendable {
  /// The nanoseconds since 1970 that wall clocks show at first; nil if time is real.
  let start: Int64?
  /// Where random numbers come from; nil for the system's.
  var seed: UInt64?

  /// The system's own time. The test fails if a task sleeps in it.
  public static let real = SystemTime(start: nil)

  /// Virtual time, from the first of January 2000 at midnight UTC, so that dates repeat. Only on Linux: elsewhere the
  /// test fails.
  public static let virtual = SystemTime(start: 946_684_800 * 1_000_000_000)

  /// Virtual time, from a date.
  ///
  /// - Parameter start: What `Date()` is at the beginning. A date before 1678 or after 2262 counts as that limit.
  /// - Returns: The virtual time.
  public static func virtual(startingAt start: Date) -> SystemTime {
    let nanoseconds = (start.timeIntervalSince1970 * 1e9).rounded()
    let limit = 9.2e18
    return SystemTime(start: nanoseconds.isNaN ? 0 : Int64(min(max(nanoseconds, -limit), limit)))
  }
}
