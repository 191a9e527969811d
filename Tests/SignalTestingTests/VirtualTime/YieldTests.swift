import Dispatch
import SignalTesting
import Signals
import Testing

/// `Task.yield()` in virtual time, and a loop that never suspends.
@Suite struct YieldTests {
  private actor Stage {
    private(set) var numbers: [Int] = []

    func take(_ number: Int) { numbers.append(number) }
  }

  /// The runtime's own yield leaves virtual time after a hop.
  @Test(arguments: 1...20) func afterHopToActor(attempt: Int) throws {
    try withVirtualTime { time in
      let stage = Stage()
      let one = Task {
        for number in 1...20 {
          await stage.take(number)
          await Task.yield()
        }
      }
      let other = Task {
        for number in 21...40 {
          await stage.take(number)
          await Task.yield()
        }
      }
      await one.value
      await other.value
      #expect(await stage.numbers == (1...20).flatMap { [$0, $0 + 20] })
    }
  }

  @Test @MainActor func afterHopFromMainActor() throws {
    try withVirtualTime { time in
      let stage = Stage()
      for number in 1...20 {
        await stage.take(number)
        await Task.yield()
      }
      #expect(await stage.numbers == Array(1...20))
    }
  }

  @Test func outsideVirtualTime() async {
    let stage = Stage()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<10 {
        group.addTask {
          await Task.yield()
          await stage.take(number)
          await Task.yield()
        }
      }
    }
    #expect(await stage.numbers.sorted() == Array(0..<10))
  }

  @Test func betweenTwoHopsIsWorkItemOfSearch() {
    let failures = heldFailures {
      exploreInterleavings(ofTask: { _ in
        let stage = Stage()
        let task = Task {
          await stage.take(1)
          await Task.yield()
          await stage.take(2)
        }
        let reader = Task { await stage.numbers.count }
        await task.value
        #expect(await reader.value != 1)
      })
    }
    #expect(failures.count == 1)
  }

  // MARK: Loops that ignore cancellation

  @Test func pollOfMarbleTestThatIgnoresCancellation() {
    let message = failure(offset: 1) {
      marbles(timeLimit: .seconds(60), workLimit: 1_000) { m in
        let source = m.hot("-a-|")
        m.task { m in while true { try? await m.scheduler.sleep(for: .seconds(10)) } }
        m.expect(source.signal, "-a-|")
      }
    }
    #expect(message.contains("task YieldTests.swift:84"), "\(message)")
  }

  private actor Counter {
    private(set) var count = 0

    func poll(_ clock: VirtualTimeScheduler) {
      Task {
        while true {
          count += 1
          try? await clock.sleep(for: .seconds(10))
        }
      }
    }
  }

  @Test func backgroundPollOfActorThatIgnoresCancellation() {
    let issues = issuesOf {
      try? withVirtualTime(workLimit: 1_000) { time in
        let counter = Counter()
        await time.background { await counter.poll(time) }
        try await time.sleep(for: .seconds(25))
      }
    }
    #expect(issues.count == 1)
  }

  @Test func cancelledTaskThatPollsOn() {
    let issues = issuesOf {
      try? withVirtualTime(workLimit: 1_000) { time in
        let task = time.task { while true { try? await time.sleep(for: .seconds(10)) } }
        try await time.sleep(for: .seconds(25))
        task.cancel()
        try await time.sleep(for: .seconds(25))
      }
    }
    #expect(!issues.isEmpty)
  }

  // MARK: Tasks that begin on an actor

  private actor Forever {
    func start() { Task { await wait() } }
    private func wait() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
  }

  @Test func taskOfActorThatNeverFinishes() {
    let issues = issuesOf {
      try? withVirtualTime { time in
        await Forever().start()
        try await time.sleep(for: .seconds(1))
      }
    }
    #expect(issues.count == 1, "\(issues)")
  }

  /// One at a time: another test on the actor could run their tasks.
  @Suite(.serialized) struct OnGlobalActor {
    @globalActor actor Shelf {
      static let shared = Shelf()
    }

    @Test func taskThatNeverFinishes() {
      let message = failure(offset: 1) {
        withVirtualTime { time in
          Task { @Shelf in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            withExtendedLifetime((stream, continuation)) {}
          }
          try? time.advance(by: .seconds(1))
        }
      }
      #expect(message.contains("still waiting after the end"), "\(message)")
    }

    @Test func taskThatUsesQueue() {
      let message = failure(offset: 1) {
        withVirtualTime { time in
          Task { @Shelf in DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) {} }
          try? time.advance(by: .seconds(1))
        }
      }
      #expect(message.contains("queue"), "\(message)")
    }

    @Test func taskThatFinishes() throws {
      try withVirtualTime { time in
        let stage = Stage()
        Task { @Shelf in await stage.take(1) }
        try await time.sleep(for: .seconds(1))
        #expect(await stage.numbers == [1])
      }
    }
  }
}
