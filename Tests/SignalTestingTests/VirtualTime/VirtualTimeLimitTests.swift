import Signals
import Testing

@testable import SignalTesting

@Suite struct VirtualTimeLimitTests {
  @Test func theTimeLimitIsNamed() {
    let failures = heldFailures {
      try? withVirtualTime(timeLimit: .seconds(60)) { time in try await time.sleep(for: .seconds(61)) }
    }
    #expect(
      failures.map(\.message) == [
        "The closure has not returned at the time limit of 1 min, and work is scheduled after it. Pass a longer timeLimit, or "
          + "find what sleeps so long."
      ])
  }

  @Test func theWorkLimitIsNamedAndNothingElse() {
    let failures = heldFailures {
      try? withVirtualTime(workLimit: 100) { _ in while !Task.isCancelled { await Task.yield() } }
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("after 100 work items in one stretch") == true)
  }
}
