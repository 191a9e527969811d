import Signals
import Testing

@testable import SignalTesting

@Suite struct ProbeBoundsTests {
  /// An interval that delivers nothing has no end.
  @Test func aStepDoesNotWaitForEver() async {
    let scheduler = VirtualTimeScheduler(workLimit: 1_000)
    let probe = Signal.interval(every: .milliseconds(1), on: scheduler).filter { _ in false }.probe(on: scheduler)
    let message =
      "expected a value, but nothing arrives: 1000 work items ran until 1 s, and none of them sent an event"
    #expect(heldFailures { _ = try? probe.next() }.map(\.message) == [message])
    await withKnownIssue {
      await #expect(throws: ProbeError.self) { try await probe.next() }
    }
    // What was not waited for has not passed.
    await withKnownIssue {
      await #expect(throws: ProbeError.self) { try await probe.expectNoEvents(for: .seconds(60)) }
    }
  }
}
