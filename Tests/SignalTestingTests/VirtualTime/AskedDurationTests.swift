import Testing

@testable import SignalTesting

/// What a failure says of a sleep in real time of which a part has passed when it is noticed.
@Suite struct AskedDurationTests {
  private static func asked(_ remaining: Duration, elapsed: Duration) -> Duration? {
    func nanoseconds(_ duration: Duration) -> Int64 { Int64(duration / .nanoseconds(1)) }
    return Duration(askedFor: nanoseconds(remaining), elapsed: nanoseconds(elapsed))
  }

  @Test(arguments: [.zero, .microseconds(3), .milliseconds(1), .milliseconds(12), .milliseconds(27)] as [Duration])
  func stallOfTheMachineDoesNotShow(_ stall: Duration) {
    for asked in [.milliseconds(300), .seconds(1), .seconds(5), .seconds(3600)] as [Duration] {
      #expect(Self.asked(asked - stall, elapsed: stall) == asked)
    }
  }

  @Test func shortSleep() {
    #expect(Self.asked(.microseconds(930), elapsed: .microseconds(75)) == .milliseconds(1))
  }

  @Test(arguments: [.milliseconds(262), .milliseconds(290), .milliseconds(1250)] as [Duration])
  func oddDurationIsNotRounded(_ asked: Duration) {
    #expect(Self.asked(asked - .microseconds(20), elapsed: .microseconds(40)) == asked)
  }

  @Test func longComputationBeforeTheSleepAddsAtMostATenth() {
    for milliseconds in stride(from: 10, to: 2000, by: 7) {
      let remaining = Duration.milliseconds(milliseconds)
      let asked = Self.asked(remaining, elapsed: .seconds(60))
      #expect(asked.map { $0 >= remaining && $0 <= remaining * 1.1 } ?? false)
    }
  }

  @Test(arguments: [.zero, .milliseconds(-3)] as [Duration]) func sleepThatIsOverHasNoDuration(_ remaining: Duration) {
    #expect(Self.asked(remaining, elapsed: .milliseconds(3)) == nil)
  }
}
