import Signals
import Testing

@testable import SignalTesting

/// Steps of other pipelines that have not ended.
@Suite struct ReportedLeakTests {
  @Test func aStepThatHasNotEndedIsNamedWithWhatFeedsIt() {
    let check = LeakCheck(patience: .brief)
    defer { check.recorder.close() }
    let steps = check.recorder.record { (GraphReporter("read", named: "orders"), GraphReporter("parse")) }
    steps.0.deliver(to: steps.1)
    let leaks = check.leaks()
    #expect(leaks.map(\.kind) == [.stillReported])
    #expect(
      leaks.first?.chain
        == "parse ReportedLeakTests.swift:\(#line - 4) <- read \"orders\" ReportedLeakTests.swift:\(#line - 4)")
    #expect(leaks.first?.message.hasPrefix("step of a pipeline that has not ended: parse") == true)
    steps.1.finish()
    #expect(check.leaks().map(\.chain) == ["read \"orders\" ReportedLeakTests.swift:\(#line - 9)"])
    steps.0.cancel()
    #expect(check.leaks() == [])
  }

  @Test func whatEndsIsNoLeakWhoeverStillHoldsIt() {
    let check = LeakCheck(patience: .brief)
    defer { check.recorder.close() }
    let step = check.recorder.record { GraphReporter("read") }
    step.fail(CancellationError())
    #expect(check.leaks() == [])
    withExtendedLifetime(step) {}
  }
}
