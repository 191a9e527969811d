import SignalTesting
import Signals
import Testing

/// Tasks that are left at the end of a test.
@Suite struct UnfinishedTaskTests {
  @Test func taskAsleepAtTheEnd() {
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        Task {
          try await time.sleep(for: .seconds(90))
          Issue.record("unreachable")
        }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(message.contains("A task is asleep at the end of the test"), "\(message)")
    #expect(message.contains("started at UnfinishedTaskTests.swift:10, until 90 s"), "\(message)")
  }

  private actor Session {
    private(set) var isOpen = true

    func touch(_ clock: VirtualTimeScheduler) {
      Task {
        try await clock.sleep(for: .seconds(600))
        isOpen = false
      }
    }
  }

  @Test func taskOfAnActorAsleepAtTheEnd() {
    let message = failure(offset: 2) {
      let session = Session()
      try? withVirtualTime { time in
        await session.touch(time)
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(
      message.contains("asleep at the end of the test: started at UnfinishedTaskTests.swift:25, until 10 min"),
      "\(message)")
  }

  @Test func taskAsleepAtTheEndOfTheSynchronousForm() {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        Task.detached { try await time.sleep(for: .seconds(90)) }
        try? time.advance(by: .seconds(60))
      }
    }
    #expect(message.contains("started at UnfinishedTaskTests.swift:48, until 90 s"), "\(message)")
  }

  @Test func synchronousFormWithoutAnAdvance() {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        _ = Task { try await time.sleep(for: .seconds(90)) }
      }
    }
    #expect(message.contains("started at UnfinishedTaskTests.swift:58"), "\(message)")
    #expect(message.contains("time.advance(by:)"), "\(message)")
  }

  @Test func workThatWasNeverDue() {
    let message = failure(offset: 1) {
      withVirtualTime { time in
        let subscription = Signal.timer(after: .seconds(3), on: time).subscribe { _ in Issue.record("unreachable") }
        withExtendedLifetime(subscription) {}
        subscription.store(in: bag)
      }
    }
    #expect(message.contains("No time has passed"), "\(message)")
    #expect(message.contains("timer UnfinishedTaskTests.swift:68"), "\(message)")
    #expect(message.contains("time.advance(by:)"), "\(message)")
  }

  private let bag = DisposeBag()

  @Test func workDueAtTheLastMomentRuns() throws {
    let count = Property(0)
    try withVirtualTime { time in
      for _ in 1...3 {
        Task {
          try await time.sleep(for: .seconds(60))
          count.update { $0 += 1 }
        }
      }
      try await time.sleep(for: .seconds(60))
    }
    #expect(count.value == 3)
  }

  @Test(.timeLimit(.minutes(20))) func endlessSleepLoop() {
    let message = failure(offset: 1) {
      try? withVirtualTime(workLimit: 1000) { time in
        Task { while true { try? await time.sleep(for: .seconds(1)) } }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(message.contains("keeps running after its cancellation"), "\(message)")
    #expect(message.contains("UnfinishedTaskTests.swift:97"), "\(message)")
  }

  @Test func endlessYieldLoop() {
    let message = failure(offset: 1) {
      withVirtualTime(workLimit: 1000) { _ in
        Task { while true { await Task.yield() } }
        _ = Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      }
    }
    #expect(message.contains("keeps running after its cancellation"), "\(message)")
    #expect(message.contains("UnfinishedTaskTests.swift:108"), "\(message)")
    #expect(message.contains("still waiting"), "\(message)")
    #expect(message.contains("UnfinishedTaskTests.swift:109"), "\(message)")
  }

  @Test func workLimitNamesTheLoop() {
    let message = failure(offset: 1) {
      try? withVirtualTime(workLimit: 1000) { time in
        Task { while true { await Task.yield() } }
        try await time.sleep(for: .seconds(60))
      }
    }
    #expect(message.contains("1000 work items"), "\(message)")
    #expect(message.contains("the task started at UnfinishedTaskTests.swift:121"), "\(message)")
  }

  @Test(.enabled(if: noticesRealTime)) func deadlockIsOneIssueThatNamesTheTasks() {
    let message = failure(offset: 1) {
      try? withVirtualTime { time in
        try await time.sleep(for: .seconds(3))
        let first = Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        await first.value
      }
    }
    #expect(message.hasPrefix("Stopped at 3 s"), "\(message)")
    #expect(message.contains("It waits at UnfinishedTaskTests.swift:134."), "\(message)")
    #expect(
      message.contains("The task started at UnfinishedTaskTests.swift:133 waits at UnfinishedTaskTests.swift:133."),
      "\(message)")
    #expect(!message.contains("Usual causes"), "\(message)")
  }

  /// Nothing that the closure checks comes after such work.
  @Test(.enabled(if: noticesRealTime)) func workThatIsDueAtOnceAndNeverRunsBeforeTheEnd() {
    let message = failure(offset: 2) {
      let saved = Property(0)
      withVirtualTime { (_: VirtualTimeScheduler) -> Void in
        Task { saved.value += 1 }
        #expect(saved.value == 0)
      }
    }
    #expect(message.contains("Advance time with `try time.advance(by:)`"), "\(message)")
    // Work after the last look is no mistake.
    withVirtualTime { (time: VirtualTimeScheduler) -> Void in
      let saved = Property(0)
      Task { saved.value += 1 }
      #expect(throws: Never.self) { try time.advance() }
      #expect(saved.value == 1)
      Task { saved.value += 1 }
    }
  }

  /// What `#require` throws is the one error that Swift Testing does not record again.
  @Test func whatIsThrownIsNoSecondIssue() {
    var thrown: (any Error)?
    _ = failure(offset: 2) {
      do {
        try withVirtualTime { _ in await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      } catch {
        thrown = error
      }
    }
    #expect(thrown is ExpectationFailedError, "\(String(describing: thrown))")
  }

  @Test func workThatSchedulesItselfAtTheEnd() {
    let message = failure(offset: 1) {
      try? withVirtualTime(workLimit: 1000) { time in
        await Task.yield()
        @Sendable func again() { time.schedule { again() } }
        again()
      }
    }
    #expect(message.contains("Work reschedules itself endlessly at the end of the test"), "\(message)")
    #expect(message.contains("UnfinishedTaskTests.swift:182") || !noticesRealTime, "\(message)")
  }

  /// Waits for the cancellation of its task.
  private static func cancelled() async -> Int? {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    defer { continuation.finish() }
    for await value in stream { return value }
    return nil
  }

  @Test func longCleanUpBeforeATaskHangs() {
    let message = failure(offset: 1) {
      withVirtualTime(workLimit: 1000) { _ in
        _ = Task<Void, Never> {
          _ = await Self.cancelled()
          for _ in 0..<40 { await Task.yield() }
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
    }
    #expect(message.contains("still waiting"), "\(message)")
  }
}

/// Tasks that the test declares as endless.
@Suite struct BackgroundTests {
  @Test func backgroundTasksMaySleepAtTheEnd() throws {
    let count = Property(0)
    let end = try withVirtualTime { time in
      time.background {
        Task.detached {
          Task.detached { try await time.sleep(for: .seconds(3600)) }
          while !Task.isCancelled {
            count.update { $0 += 1 }
            try await time.sleep(for: .seconds(10))
          }
        }
      }
      try await time.sleep(for: .seconds(25))
      return time.now
    }
    #expect(count.value == 3)
    #expect(end.sinceOrigin == .seconds(25))
  }

  private actor Mailbox {
    private(set) var pollCount = 0

    func poll(on clock: VirtualTimeScheduler) {
      Task {
        while !Task.isCancelled {
          pollCount += 1
          try await clock.sleep(for: .seconds(10))
        }
      }
    }
  }

  @Test func backgroundTaskOfAnActor() throws {
    try withVirtualTime { time in
      let mailbox = Mailbox()
      await time.background { await mailbox.poll(on: time) }
      try await time.sleep(for: .seconds(25))
      #expect(await mailbox.pollCount == 3)
    }
  }

  @Test func marbleTestDoesNotWaitForItsBackground() {
    let count = Property(0)
    marbles { m in
      m.background {
        m.task { [scheduler = m.scheduler] in
          while !Task.isCancelled {
            count.update { $0 += 1 }
            try await scheduler.sleep(for: .milliseconds(2))
          }
        }
      }
      m.expect(m.hot("-a-").signal, "-a-")
    }
    #expect(count.value == 2)
  }

  @Test func backgroundTaskThatIgnoresItsCancellationFails() {
    let message = failure(offset: 1) {
      withVirtualTime(workLimit: 1000) { time in
        time.background { Task { while true { try? await time.sleep(for: .seconds(1)) } } }
        try? time.advance(by: .seconds(10))
      }
    }
    #expect(message.contains("keeps running after its cancellation"), "\(message)")
  }

  @Test func advancingByNothingIsNoAdvance() {
    let bag = DisposeBag()
    let message = failure(offset: 1) {
      withVirtualTime { time in
        Signal.timer(after: .seconds(3), on: time).subscribe { _ in Issue.record("unreachable") }.store(in: bag)
        try? time.advance()
      }
    }
    #expect(message.contains("No time has passed"), "\(message)")
  }
}
