import SignalTesting
import Signals
import Testing

/// A sleep in real time fails the test, with its line and its duration.
@Suite struct RealSleepTests {
  private actor Oven {
    private(set) var isDone = false

    func start() {
      Task {
        try await Task.sleep(for: .seconds(5))
        isDone = true
      }
    }
  }

  @Test(.enabled(if: noticesRealTime), .timeLimit(.minutes(20))) func unawaitedTaskOfAnActor() {
    let message = failure(offset: 2) {
      let oven = Oven()
      try? withVirtualTime { time in
        await oven.start()
        try await time.sleep(for: .seconds(60))
        #expect(await !oven.isDone)
      }
    }
    #expect(message.contains("slept in real time"), "\(message)")
    #expect(message.contains("for 5 s at RealSleepTests.swift:12, in the task started at"), "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func expectationBehindTheSleepNeverRuns() {
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        Task {
          try await ContinuousClock().sleep(for: .seconds(5))
          Issue.record("unreachable")
        }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(
      message.contains("for 5 s at RealSleepTests.swift:35, in the task started at RealSleepTests.swift:34"),
      "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func synchronousForm() {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        Task.detached { try await SuspendingClock().sleep(for: .seconds(3600)) }
        try? time.advance(by: .seconds(10))
      }
    }
    #expect(
      message.contains("for 1 h at RealSleepTests.swift:49, in the task started at RealSleepTests.swift:49"),
      "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func sleepInAMethodOfAnActor() {
    actor Waiter {
      func nap() async { try? await Task.sleep(nanoseconds: 7_000_000_000) }
    }
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        let waiter = Waiter()
        Task.detached { await waiter.nap() }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(
      message.contains("for 7 s at RealSleepTests.swift:60, in the task started at RealSleepTests.swift:65"),
      "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func sleepWithATolerance() {
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        Task { try await Task.sleep(for: .seconds(5), tolerance: .milliseconds(10)) }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(message.contains("slept in real time for 5 s"), "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func sleepInAClosureOfAMacro() {
    let issues = issuesOf {
      #expect(throws: Never.self) {
        try withVirtualTime { time in
          Task { try await Task.sleep(for: .seconds(5)) }
          try await time.sleep(for: .seconds(60))
        }
      }
    }
    let message = issues.first?.comments.first?.rawValue ?? ""
    #expect(
      message.contains("for 5 s at RealSleepTests.swift:86, in the task started at RealSleepTests.swift:86"),
      "\(message)")
  }

  @Test func ordinarySleepBesideVirtualTime() async throws {
    let sleeping = Task { try await Task.sleep(for: .milliseconds(1)) }
    try withVirtualTime { time in try await time.sleep(for: .seconds(60)) }
    try await sleeping.value
    try await Task.sleep(for: .milliseconds(1))
  }
}
