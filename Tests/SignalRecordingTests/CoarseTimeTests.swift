import Testing

@testable import SignalRecording

@Suite("The coarse time") struct CoarseTimeTests {
  @Test("is not that of a clock which may be set")
  func monotonic() {
    func isNow() -> Bool {
      let before = HandlerTracing.nanoseconds / 1_000_000
      let now = CoarseTime.now.milliseconds
      let after = HandlerTracing.nanoseconds / 1_000_000
      // Coarse: up to ten milliseconds old, unless a virtual machine pauses.
      return (before.saturatingSubtract(20)...after).contains(now)
    }
    #expect((1...100).contains { _ in isNow() })
  }

  @Test("is told as the system's time")
  func shown() {
    let time = CoarseTime.now
    #expect(abs(CoarseTime.Calendar().secondsSince1970(time) - secondsSince1970()) < 5)
  }
}

extension UInt64 {
  fileprivate func saturatingSubtract(_ other: UInt64) -> UInt64 { self - Swift.min(self, other) }
}
