import Dispatch
import SignalTesting
import Signals
import Testing

/// Work that leaves virtual time fails the test, even if it finishes in time.
@Suite struct VirtualTimeFailures {
  @Test func aRealScheduler() {
    marbles { m in
      let source = m.hot("-a-")
      let late = source.signal.delay(for: .seconds(60), on: .qos(.default))  // must fail: delay VirtualTimeFailures
      m.expect(late, "-----")
    }
  }

  @Test func aRealSchedulerAndWhatDoesNotCome() {
    marbles { m in
      let source = m.hot("-a-")
      let late = source.signal.delay(for: .seconds(60), on: .qos(.default))  // must fail: delay VirtualTimeFailures
      m.expect(late, "-a---")
    }
  }

  @Test func aSourceThatIsNotReached() {
    marbles { m in
      let first = m.hot("-a-")
      let second = m.cold("-b|")
      m.expect(first.signal.concat(second.signal), "-a--b|")  // must fail: The source "-b|" has no subscriber
    }
  }

  @Test func aRealSchedulerInALeakCheck() {
    assertNoLeaks {
      marbles { m in
        let source = m.hot("-a-")
        let late = source.signal.delay(for: .seconds(60), on: .main)  // must fail: delay VirtualTimeFailures
        m.expect(late, "-----")
      }
    }
  }

  @Test func aContinuationThatAQueueResumes() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { await answerFromAQueue() }  // must fail: dispatch queue
    }
  }

  @Test func aSleepInRealTime() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { try await Task.sleep(for: .seconds(60)) }  // must fail: slept in real time
    }
  }

  @Test func aSleepBeyondTheTimeLimit() {
    try? withVirtualTime(timeLimit: .seconds(60)) { time in  // must fail: not returned at the time limit of 1 min
      try await time.sleep(for: .seconds(61))
    }
  }

  @Test func aSequenceThatSleepsInRealTime() {
    let numbers = AsyncStream<Int> {
      try? await ContinuousClock().sleep(for: .seconds(60))
      return 1
    }
    marbles { m in
      m.expect(numbers, "-----")  // must fail: slept in real time
    }
  }

  // XCTest: func testTheMainActor() async {
  @Test func theMainActor() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { await MainActor.run {} }  // must fail: main actor
    }
  }

  @Test func aTaskThatDoesNotEnd() {
    withVirtualTime { time in  // must fail: still waiting after the end of the test
      Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
  }

  @Test func aDetachedTaskStays() {
    marbles { m in
      let numbers = Emitter<Int>()
      m.expect(numbers.signal, "(1|)")
      m.task {
        numbers.send(await Task.detached { 1 }.value)
        numbers.finish()
      }
    }
  }

  @Test func aSleepOfAnActorsTask() {
    try? withVirtualTime { time in  // must fail: for 300 ms at VirtualTimeFailures
      await Oven().start()
      try await time.sleep(for: .seconds(60))
    }
  }

  @Test func aTaskThatIsAsleepAtTheEnd() {
    try? withVirtualTime { time in  // must fail: A task is asleep at the end of the test
      Task { try await time.sleep(for: .seconds(90)) }
      try await time.sleep(for: .seconds(60))
    }
  }

  @Test func aTaskInTheBackground() {
    try? withVirtualTime { time in
      time.background { Task { try await time.sleep(for: .seconds(90)) } }
      try await time.sleep(for: .seconds(60))
    }
  }

  @Test func timeThatNeverPasses() {
    withVirtualTime { time in  // must fail: No time has passed
      _ = Task { try await time.sleep(for: .seconds(90)) }
    }
  }

  @Test func aLoopThatIgnoresItsCancellation() {
    try? withVirtualTime(workLimit: 1000) { time in  // must fail: keeps running after its cancellation
      Task { while true { try? await time.sleep(for: .seconds(1)) } }
      try await time.sleep(for: .seconds(60))
    }
  }

  @Test func aLoopThatLeavesNoTime() {
    try? withVirtualTime(workLimit: 1000) { time in  // must fail: after 1000 work items
      Task { while !Task.isCancelled { await Task.yield() } }
      try await time.sleep(for: .seconds(60))
    }
  }

  @Test func aDeadlock() {
    try? withVirtualTime { time in  // must fail: Stopped at 3 s
      try await time.sleep(for: .seconds(3))
      await Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }.value
    }
  }

  // XCTest: @ShopActor func testAnotherActor() async {
  @Test @ShopActor func anotherActor() {
    marbles { m in  // must fail: isolated to ShopActor
      m.expect(m.hot("-a-").signal, "-a-")
    }
  }

  @Test func anEventOfAnotherThread() {
    marbles { m in  // must fail: from another thread
      let numbers = Emitter<Int>()
      m.at(.milliseconds(1)) {
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          numbers.send(1)
          isDone.signal()
        }
        isDone.wait()
      }
      m.expect(numbers.signal, "-1-")
    }
  }

  @Test @MainActor func theMainActorWhenTheTestRunsThere() {
    withVirtualTime { time in
      let model = Model()
      model.start(time)
      try? time.advance(by: .seconds(1))
      // XCTest: XCTAssertEqual(model.count, 1)
      #expect(model.count == 1)
    }
  }
}

@globalActor actor ShopActor {
  static let shared = ShopActor()
}

private actor Oven {
  private var isDone = false

  func start() {
    Task {
      try await Task.sleep(for: .milliseconds(300))
      isDone = true
    }
  }
}

@MainActor private final class Model {
  private(set) var count = 0

  func start(_ clock: some Clock<Duration>) {
    Task {
      try await clock.sleep(for: .seconds(1))
      count += 1
    }
  }
}

private func answerFromAQueue() async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    DispatchQueue.global().async { continuation.resume() }
  }
}
