import SignalTesting
import Signals
import Testing

/// How long nothing may come.
@Suite struct NoEventsTests {
  @Test(arguments: [Duration.zero, .milliseconds(-3), .nanoseconds(1) * 0.4])
  func durationThatIsNoneIsRejected(_ duration: Duration) {
    let issues = issuesOf {
      marbles { m in m.expectNoEvents(of: Signal.just(1), for: duration) }
      let scheduler = VirtualTimeScheduler()
      let probe = Signal<Int>.never().probe(on: scheduler)
      try? probe.expectNoEvents(for: duration)
    }
    #expect(issues.count == 2)
    for issue in issues { #expect(issue.comments.first?.rawValue.contains("is too short") == true, "\(issue)") }
  }

  @Test func eventAtTheEndOfTheDurationFails() {
    let issues = issuesOf {
      marbles { m in
        m.expectNoEvents(of: Signal.timer(after: .milliseconds(9), on: m.scheduler), for: .milliseconds(9))
      }
      let scheduler = VirtualTimeScheduler()
      let probe = Signal.timer(after: .milliseconds(9), on: scheduler).probe(on: scheduler)
      try? probe.expectNoEvents(for: .milliseconds(9))
    }
    #expect(issues.count == 2)
  }

  @Test func eventAfterTheDurationIsNotSeen() throws {
    marbles { m in
      m.expectNoEvents(of: Signal.timer(after: .milliseconds(10), on: m.scheduler), for: .milliseconds(9))
    }
    let scheduler = VirtualTimeScheduler()
    let probe = Signal.timer(after: .milliseconds(10), on: scheduler).probe(on: scheduler)
    try probe.expectNoEvents(for: .milliseconds(9))
  }
}
