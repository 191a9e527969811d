import Dispatch
import SignalTesting
import Signals
import XCTest

/// Work that leaves virtual time fails the test, even if it finishes in time.
final class VirtualTimeFailuresXCTest: XCTestCase {
  func testARealScheduler() {
    marbles { m in
      let source = m.hot("-a-")
      let late = source.signal.delay(for: .seconds(60), on: .qos(.default))  // must fail: delay VirtualTimeFailures
      m.expect(late, "-----")
    }
  }

  func testARealSchedulerAndWhatDoesNotCome() {
    marbles { m in
      let source = m.hot("-a-")
      let late = source.signal.delay(for: .seconds(60), on: .qos(.default))  // must fail: delay VirtualTimeFailures
      m.expect(late, "-a---")
    }
  }

  func testASourceThatIsNotReached() {
    marbles { m in
      let first = m.hot("-a-")
      let second = m.cold("-b|")
      m.expect(first.signal.concat(second.signal), "-a--b|")  // must fail: The source "-b|" has no subscriber
    }
  }

  func testARealSchedulerInALeakCheck() {
    assertNoLeaks {
      marbles { m in
        let source = m.hot("-a-")
        let late = source.signal.delay(for: .seconds(60), on: .main)  // must fail: delay VirtualTimeFailures
        m.expect(late, "-----")
      }
    }
  }

  func testAContinuationThatAQueueResumes() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { await answerFromAQueue() }  // must fail: dispatch queue
    }
  }

  func testASleepInRealTime() {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { try await Task.sleep(for: .seconds(60)) }  // must fail: slept in real time
    }
  }

  func testASleepBeyondTheTimeLimit() {
    try? withVirtualTime(timeLimit: .seconds(60)) { time in  // must fail: not returned at the time limit of 1 min
      try await time.sleep(for: .seconds(61))
    }
  }

  func testASequenceThatSleepsInRealTime() {
    let numbers = AsyncStream<Int> {
      try? await ContinuousClock().sleep(for: .seconds(60))
      return 1
    }
    marbles { m in
      m.expect(numbers, "-----")  // must fail: slept in real time
    }
  }

  func testTheMainActor() async {
    marbles { m in
      m.expect(Signal<Int>.never(), "-")
      m.task { await MainActor.run {} }  // must fail: main actor
    }
  }

  func testATaskThatDoesNotEnd() {
    withVirtualTime { time in  // must fail: still waiting after the end of the test
      Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
  }

  func testADetachedTaskStays() {
    marbles { m in
      let numbers = Emitter<Int>()
      m.expect(numbers.signal, "(1|)")
      m.task {
        numbers.send(await Task.detached { 1 }.value)
        numbers.finish()
      }
    }
  }

  func testASleepOfAnActorsTask() {
    try? withVirtualTime { time in  // must fail: for 300 ms at VirtualTimeFailures
      await Oven().start()
      try await time.sleep(for: .seconds(60))
    }
  }

  func testATaskThatIsAsleepAtTheEnd() {
    try? withVirtualTime { time in  // must fail: A task is asleep at the end of the test
      Task { try await time.sleep(for: .seconds(90)) }
      try await time.sleep(for: .seconds(60))
    }
  }

  func testATaskInTheBackground() {
    try? withVirtualTime { time in
      time.background { Task { try await time.sleep(for: .seconds(90)) } }
      try await time.sleep(for: .seconds(60))
    }
  }

  func testTimeThatNeverPasses() {
    withVirtualTime { time in  // must fail: No time has passed
      _ = Task { try await time.sleep(for: .seconds(90)) }
    }
  }

  func testALoopThatIgnoresItsCancellation() {
    try? withVirtualTime(workLimit: 1000) { time in  // must fail: keeps running after its cancellation
      Task { while true { try? await time.sleep(for: .seconds(1)) } }
      try await time.sleep(for: .seconds(60))
    }
  }

  func testALoopThatLeavesNoTime() {
    try? withVirtualTime(workLimit: 1000) { time in  // must fail: after 1000 work items
      Task { while !Task.isCancelled { await Task.yield() } }
      try await time.sleep(for: .seconds(60))
    }
  }

  func testADeadlock() {
    try? withVirtualTime { time in  // must fail: Stopped at 3 s
      try await time.sleep(for: .seconds(3))
      await Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }.value
    }
  }

  @ShopActor func testAnotherActor() async {
    marbles { m in  // must fail: isolated to ShopActor
      m.expect(m.hot("-a-").signal, "-a-")
    }
  }

  func testAnEventOfAnotherThread() {
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

  @MainActor func testTheMainActorWhenTheTestRunsThere() {
    withVirtualTime { time in
      let model = Model()
      model.start(time)
      try? time.advance(by: .seconds(1))
      XCTAssertEqual(model.count, 1)
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
