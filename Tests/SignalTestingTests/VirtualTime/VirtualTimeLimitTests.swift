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

  /// Such work has no operator, and no line of its own.
  @Test(.enabled(if: noticesRealTime)) func theWorkLimitNamesTheLineThatReschedules() {
    @Sendable func again(_ time: VirtualTimeScheduler) { time.schedule { again(time) } }
    let line = #line - 1
    let inVirtualTime = heldFailures {
      try? withVirtualTime(workLimit: 100) { time in
        again(time)
        try await time.sleep(for: .seconds(1))
      }
    }
    let inMarbles = heldFailures {
      marbles(workLimit: 100) { m in
        again(m.scheduler)
        m.expect(m.hot("-a-").signal, "-a-")
      }
    }
    for failures in [inVirtualTime, inMarbles] {
      let message = failures.last?.message ?? ""
      #expect(message.contains("work scheduled at VirtualTimeLimitTests.swift:\(line)"), "\(message)")
    }
  }
}
